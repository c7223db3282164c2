import { Field } from "@/ui/label";
import { Input } from "@/ui/input";
import { NativeSelect } from "@/ui/native-select";

import { meant, spelled } from "../controls/spelling";
import { getAt, idAt, setAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";

interface Props {
  schema: Doc;
  onChange(schema: Doc): void;
  at: Path;
  siblings: string[];
}

const PLACE = ["x-field", "visible_if"];

/** Shown only while another field has a value. */
export function VisibleIf({ schema, onChange, at, siblings }: Props) {
  const t = useT();
  const id = idAt([...at, ...PLACE]);
  const field = getAt(schema, [...PLACE, "field"]);
  const equals = getAt(schema, [...PLACE, "equals"]);
  const chosen = typeof field === "string" ? field : "";
  if (siblings.length === 0 && chosen === "") return null;
  const known = chosen === "" || siblings.includes(chosen) ? siblings : [...siblings, chosen];
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field id={id} label={t("field.visibleIf")}>
        <NativeSelect id={id} value={chosen} onChange={(event) => onChange(setAt(schema, PLACE, event.target.value === "" ? undefined : { field: event.target.value, equals: equals ?? true }))}>
          <option value="">{t("field.visibleIf.always")}</option>
          {known.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {chosen !== "" && (
        <Field id={`${id}-equals`} label={t("field.visibleIf.equals")} help={t("field.visibleIf.help")}>
          <Input id={`${id}-equals`} value={equals === undefined ? "" : spelled(equals)} aria-describedby={`${id}-equals-help`} onChange={(event) => onChange(setAt(schema, [...PLACE, "equals"], meant(event.target.value)))} />
        </Field>
      )}
    </div>
  );
}
