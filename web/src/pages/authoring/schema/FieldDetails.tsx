import { Checkbox } from "@/ui/checkbox";
import { Label } from "@/ui/label";

import { FieldList } from "../controls/FieldList";
import { JsonControl } from "../controls/JsonControl";
import { idAt, isObject, type Doc } from "../doc/json";
import { useT } from "../messages";
import type { FieldRowProps } from "./FieldRow";
import { Inside } from "./Inside";
import { KeyBox } from "./KeyBox";
import { Options } from "./Options";
import { OtherKeywords } from "./OtherKeywords";
import { shapeOf, type Shape } from "./shape";
import { TypeBoxes } from "./TypeBoxes";
import { defaultSpec, specsOf, TEXTS } from "./specs";
import { VisibleIf } from "./VisibleIf";

/** Everything about one field. */
export function FieldDetails(props: FieldRowProps) {
  const { name, schema, siblings, isRequired, at, onRename, onRequire } = props;
  const t = useT();
  const shape = shapeOf(schema);
  const id = idAt(at);
  return (
    <div className="grid min-w-0 gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <KeyBox id={id} name={name} taken={siblings} onRename={onRename} />
        <div className="flex items-center gap-2 sm:pt-7">
          <Checkbox id={`${id}-required`} checked={isRequired} onCheckedChange={(on) => onRequire(on === true)} />
          <Label htmlFor={`${id}-required`}>{t("field.mustBeThere")}</Label>
        </div>
      </div>
      {shape && isObject(schema) ? <Shown {...props} schema={schema} shape={shape} /> : <Raw {...props} />}
    </div>
  );
}

/** What the controls cannot show: the whole field as JSON, exactly as it is written. */
function Raw({ name, schema, at, onChange }: FieldRowProps) {
  const t = useT();
  return (
    <>
      <TypeBoxes schema={isObject(schema) ? schema : {}} shape={undefined} onChange={onChange} at={at} />
      <p className="text-sm text-muted-foreground">{t("field.raw.help")}</p>
      <JsonControl id={`${idAt(at)}-raw`} label={t("field.raw", { name })} value={schema} onChange={onChange} empty={{}} />
    </>
  );
}

function Shown({ name, schema, shape, siblings, at, complaint, onChange }: FieldRowProps & { schema: Doc; shape: Shape }) {
  const list = { doc: schema, onChange, at, complaint };
  return (
    <>
      <TypeBoxes schema={schema} shape={shape} onChange={onChange} at={at} />
      <FieldList specs={TEXTS} {...list} />
      {shape.type === "enum" && <Options schema={schema} shape={shape} onChange={onChange} at={at} />}
      <Inside name={name} schema={schema} shape={shape} onChange={onChange} at={at} complaint={complaint} />
      <FieldList specs={[...specsOf(shape), defaultSpec(shape)]} {...list} />
      <VisibleIf schema={schema} onChange={onChange} at={at} siblings={siblings.filter((other) => other !== name)} />
      <OtherKeywords name={name} schema={schema} shape={shape} onChange={onChange} at={at} />
    </>
  );
}
