import { Label } from "@/ui/label";
import { Switch } from "@/ui/switch";

import { FieldList } from "../controls/FieldList";
import { JsonControl } from "../controls/JsonControl";
import type { Complaint } from "../controls/types";
import { idAt, isObject, setAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { FieldRows } from "./FieldRows";
import { Options } from "./Options";
import { OtherKeywords } from "./OtherKeywords";
import { shapeOf, type Shape } from "./shape";
import { specsOf, TEXTS } from "./specs";
import { TypeBoxes } from "./TypeBoxes";

interface Props {
  name: string;
  schema: Doc;
  shape: Shape;
  onChange(schema: Doc): void;
  at: Path;
  complaint?: Complaint;
}

/** What stands inside a field: the fields of a group, the item of a list. */
export function Inside({ name, schema, shape, onChange, at, complaint }: Props) {
  const t = useT();
  if (shape.type === "object" && shape.display === "group") {
    return (
      <div className="grid min-w-0 gap-3 border-l-2 pl-3">
        <FieldRows schema={schema} onChange={onChange} at={at} complaint={complaint} label={t("schema.fieldsOf", { name })} />
        <OpenSwitch schema={schema} onChange={onChange} at={at} />
      </div>
    );
  }
  if (shape.type === "array") return <Item name={name} schema={schema["items"]} onChange={(items) => onChange(setAt(schema, ["items"], items))} at={[...at, "items"]} complaint={complaint} />;
  return null;
}

/** The element of a list has a type and bounds, but no name. */
function Item({ name, schema, onChange, at, complaint }: Omit<Props, "schema" | "shape" | "onChange"> & { schema: unknown; onChange(schema: unknown): void }) {
  const t = useT();
  const shape = shapeOf(schema);
  const label = t("field.item", { name });
  return (
    <fieldset className="grid min-w-0 gap-4 border-l-2 pl-3">
      <legend className="pb-2 text-sm font-medium">{label}</legend>
      <TypeBoxes schema={isObject(schema) ? schema : {}} shape={shape} onChange={onChange} at={at} />
      {shape && isObject(schema) ? (
        <>
          {shape.type === "enum" && <Options schema={schema} shape={shape} onChange={onChange} at={at} />}
          <Inside name={label} schema={schema} shape={shape} onChange={onChange} at={at} complaint={complaint} />
          <FieldList specs={[...TEXTS, ...specsOf(shape)]} doc={schema} onChange={onChange} at={at} complaint={complaint} />
          <OtherKeywords name={label} schema={schema} shape={shape} onChange={onChange} at={at} />
        </>
      ) : (
        <JsonControl id={`${idAt(at)}-raw`} label={t("field.raw", { name: label })} value={schema} onChange={onChange} empty={{}} />
      )}
    </fieldset>
  );
}

/** Whether keys pass that no field names. */
export function OpenSwitch({ schema, onChange, at }: Pick<Props, "schema" | "onChange" | "at">) {
  const t = useT();
  const id = idAt([...at, "additionalProperties"]);
  const given = schema["additionalProperties"];
  if (given !== undefined && typeof given !== "boolean") return null;
  return (
    <div className="flex items-center gap-2">
      <Switch id={id} checked={given !== false} onCheckedChange={(isOpen) => onChange(setAt(schema, ["additionalProperties"], isOpen ? undefined : false))} />
      <Label htmlFor={id}>{t("schema.open")}</Label>
    </div>
  );
}
