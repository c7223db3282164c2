import { Braces, LayoutList } from "lucide-react";
import { useState } from "react";

import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { JsonControl } from "../controls/JsonControl";
import type { Complaint } from "../controls/types";
import { idAt, isAround, isObject, without, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { FieldRows } from "./FieldRows";
import { OpenSwitch } from "./Inside";

interface Props {
  label: string;
  schema: unknown;
  onChange(schema: unknown): void;
  at: Path;
  complaint?: Complaint;
}

/** Keywords of the whole schema that the rows show. */
const SHOWN = ["type", "properties", "required", "additionalProperties", "x-field-order", "title", "description", "$schema"];

/** One schema, by fields or as JSON. Both show the same document: nothing is lost on the way from one to the other. */
export function SchemaEditor({ label, schema, onChange, at, complaint }: Props) {
  const t = useT();
  const canShow = isObject(schema) && (schema["type"] === "object" || schema["type"] === undefined) && (schema["properties"] === undefined || isObject(schema["properties"]));
  const [isRaw, setIsRaw] = useState(false);
  const said = complaint && isAround(at, complaint.pointer) ? complaint : undefined;
  const id = idAt(at);
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex">
        <ToggleGroup type="single" value={isRaw || !canShow ? "raw" : "fields"} aria-label={t("schema.view", { label })} onValueChange={(view) => view && setIsRaw(view === "raw")}>
          <ToggleGroupItem value="fields" disabled={!canShow}>
            <LayoutList aria-hidden />
            {t("schema.asFields")}
          </ToggleGroupItem>
          <ToggleGroupItem value="raw">
            <Braces aria-hidden />
            {t("schema.asJson")}
          </ToggleGroupItem>
        </ToggleGroup>
      </div>
      {said && (
        <p id={`${id}-error`} role="alert" className="text-sm break-words text-bad">
          {said.message}
        </p>
      )}
      {isRaw || !isObject(schema) || !canShow ? (
        <JsonControl id={id} label={t("schema.json", { label })} value={schema} onChange={onChange} isInvalid={said !== undefined} empty={{ type: "object" }} />
      ) : (
        <Fields schema={schema} onChange={onChange} at={at} complaint={said} label={label} />
      )}
    </div>
  );
}

function Fields({ schema, onChange, at, complaint, label }: { schema: Doc; onChange(schema: Doc): void; at: Path; complaint: Complaint | undefined; label: string }) {
  const t = useT();
  const rest = Object.keys(without(schema, ...SHOWN));
  return (
    <>
      <FieldRows schema={schema} onChange={onChange} at={at} complaint={complaint} label={label} />
      <OpenSwitch schema={schema} onChange={onChange} at={at} />
      {rest.length > 0 && <p className="text-xs text-muted-foreground">{t("schema.rest", { names: rest.join(", ") })}</p>}
    </>
  );
}
