import { Plus, Trash2 } from "lucide-react";

import { Button } from "@/ui/button";

import { JsonControl } from "../controls/JsonControl";
import { idAt, isAround, setAt, without } from "../doc/json";
import { useT } from "../messages";
import { SchemaEditor } from "../schema/SchemaEditor";
import { OutputSections } from "./OutputSections";
import { Part } from "./Part";
import type { SectionProps } from "./SectionProps";

const EMPTY_OUTPUT = { type: "object", properties: {} };

export function SchemaSection({ definition, onChange, complaint }: SectionProps) {
  const t = useT();
  const output = definition["output_schema"];
  const put = (key: string) => (schema: unknown) => onChange(setAt(definition, [key], schema));
  return (
    <>
      <Part title={t("schema.input")} help={t("schema.input.help")}>
        <SchemaEditor label={t("schema.input")} schema={definition["input_schema"]} onChange={put("input_schema")} at={["input_schema"]} complaint={complaint} />
        <FieldsNotice definition={definition} onChange={onChange} complaint={complaint} />
      </Part>
      <Part
        title={t("schema.output")}
        help={t("schema.output.help")}
        actions={
          output !== undefined && (
            <Button variant="ghost" size="sm" onClick={() => onChange(without(definition, "output_schema"))}>
              <Trash2 aria-hidden />
              {t("schema.output.remove")}
            </Button>
          )
        }
      >
        {output === undefined ? (
          <Button variant="outline" className="justify-self-start" onClick={() => put("output_schema")(EMPTY_OUTPUT)}>
            <Plus aria-hidden />
            {t("schema.output.add")}
          </Button>
        ) : (
          <SchemaEditor label={t("schema.output")} schema={output} onChange={put("output_schema")} at={["output_schema"]} complaint={complaint} />
        )}
      </Part>
      <OutputSections definition={definition} onChange={onChange} complaint={complaint} />
    </>
  );
}

/** A definition may describe its form a second time. It must agree with the schema, so it is shown beside it. */
function FieldsNotice({ definition, onChange, complaint }: SectionProps) {
  const t = useT();
  const fields = definition["fields"];
  if (!Array.isArray(fields) || fields.length === 0) return null;
  const said = complaint && isAround(["fields"], complaint.pointer) ? complaint.message : undefined;
  return (
    <details className="rounded-lg border p-3" open={said !== undefined}>
      <summary className="cursor-pointer text-sm font-medium">{t("schema.fields")}</summary>
      <div className="grid gap-2 pt-2">
        <p className="text-sm text-muted-foreground">{t("schema.fields.help")}</p>
        {said !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {said}
          </p>
        )}
        <JsonControl id={idAt(["fields"])} label={t("schema.fields")} value={fields} onChange={(value) => onChange(setAt(definition, ["fields"], value))} />
        <Button variant="outline" size="sm" className="justify-self-start" onClick={() => onChange(without(definition, "fields"))}>
          {t("schema.fields.drop")}
        </Button>
      </div>
    </details>
  );
}
