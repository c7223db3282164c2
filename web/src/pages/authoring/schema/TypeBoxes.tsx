import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { idAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { reshaped } from "./reshape";
import { DISPLAYS, FIELD_TYPES, type Display, type FieldType, type Shape } from "./shape";

interface Props {
  schema: Doc;
  /** None: only raw JSON shows it. */
  shape: Shape | undefined;
  onChange(schema: Doc): void;
  at: Path;
}

/** What a field holds, and how it is shown. */
export function TypeBoxes({ schema, shape, onChange, at }: Props) {
  const t = useT();
  const id = idAt(at);
  const displays: readonly Display[] = shape ? DISPLAYS[shape.type] : [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field id={`${id}-type`} label={t("field.type")}>
        <NativeSelect id={`${id}-type`} value={shape?.type ?? ""} onChange={(event) => event.target.value !== "" && onChange(reshaped(schema, event.target.value as FieldType))}>
          {shape === undefined && <option value="">{t("type.raw")}</option>}
          {FIELD_TYPES.map((type) => (
            <option key={type} value={type}>
              {t(`type.${type}`)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {shape && displays.length > 1 && (
        <Field id={`${id}-display`} label={t("field.display")}>
          <NativeSelect id={`${id}-display`} value={shape.display} onChange={(event) => onChange(reshaped(schema, shape.type, event.target.value as Display))}>
            {displays.map((display) => (
              <option key={display} value={display}>
                {t(`display.${display}`)}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
    </div>
  );
}
