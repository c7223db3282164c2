import { Plus } from "lucide-react";
import { useId, useState } from "react";

import { Button } from "@/ui/button";

import type { Complaint } from "../controls/types";
import { focusSoon } from "../doc/focus";
import { idAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { FieldRow } from "./FieldRow";
import { addField, freeKey, keysOf, moveField, propertiesOf, putField, removeField, renameField, requiredOf, setRequired } from "./members";
import { fresh } from "./reshape";

interface Props {
  /** The schema of an object. */
  schema: Doc;
  onChange(schema: Doc): void;
  at: Path;
  complaint?: Complaint;
  label: string;
}

/** The fields of an object, in the order of the form. */
export function FieldRows({ schema, onChange, at, complaint, label }: Props) {
  const t = useT();
  const addButton = useId();
  // A field is known by its name. One that is renamed stays the same row; a new one is opened with the focus on it.
  const [added, setAdded] = useState<string>();
  const [rows, setRows] = useState<Record<string, string>>({});
  const keys = keysOf(schema);
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const add = () => {
    const key = freeKey(schema);
    setAdded(key);
    onChange(addField(schema, key, fresh("text")));
  };
  return (
    <div className="grid min-w-0 gap-2">
      {keys.length === 0 && <p className="rounded-lg border border-dashed px-3 py-4 text-sm text-muted-foreground">{t("schema.none")}</p>}
      <ol aria-label={label} className="grid min-w-0 gap-1.5">
        {keys.map((key, index) => (
          <li key={rows[key] ?? key} className="min-w-0">
            <FieldRow
              name={key}
              schema={properties[key]}
              siblings={keys}
              isRequired={required.includes(key)}
              isFirst={index === 0}
              isLast={index === keys.length - 1}
              isNew={added === key}
              at={[...at, "properties", key]}
              complaint={complaint}
              onChange={(field) => onChange(putField(schema, key, field))}
              onRename={(next) => {
                if (added === key) setAdded(next);
                setRows({ ...rows, [next]: rows[key] ?? key });
                onChange(renameField(schema, key, next));
              }}
              onRequire={(isRequired) => onChange(setRequired(schema, key, isRequired))}
              onMove={(by) => onChange(moveField(schema, key, by))}
              onRemove={() => {
                const next = keys[index + 1] ?? keys[index - 1];
                onChange(removeField(schema, key));
                focusSoon(next === undefined ? addButton : idAt([...at, "properties", next]));
              }}
              onCopy={() => onChange(addField(schema, freeKey(schema, key), structuredClone(properties[key]) as Doc))}
            />
          </li>
        ))}
      </ol>
      <Button id={addButton} variant="outline" className="justify-self-start" onClick={add}>
        <Plus aria-hidden />
        {t("schema.add")}
      </Button>
    </div>
  );
}
