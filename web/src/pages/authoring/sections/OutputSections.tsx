import { Plus } from "lucide-react";

import { Button } from "@/ui/button";

import { FieldList } from "../controls/FieldList";
import type { ControlSpec } from "../controls/types";
import { focusSoon } from "../doc/focus";
import { idAt, isObject, setAt, type Doc } from "../doc/json";
import { useT } from "../messages";
import { ListItem } from "./ListItem";
import { moved } from "./moved";
import { Part } from "./Part";
import type { SectionProps } from "./SectionProps";

const TYPES = ["summary", "table", "chart", "radar", "ranking", "custom"] as const;

const SPECS: ControlSpec[] = [
  { path: ["key"], kind: "text", label: "output.key", help: "output.key.help", needed: true },
  { path: ["label"], kind: "text", label: "output.label", needed: true },
  { path: ["type"], kind: "choice", label: "output.type", choices: TYPES.map((value) => ({ value, label: `output.type.${value}` as const })) },
  { path: ["config"], kind: "json", label: "output.config", help: "output.config.help" },
];

/** How people see the answer: a table, a chart, a ranking. */
export function OutputSections({ definition, onChange, complaint }: SectionProps) {
  const t = useT();
  const given = definition["output_sections"];
  const sections: Doc[] = Array.isArray(given) ? given.map((section) => (isObject(section) ? section : {})) : [];
  const put = (next: Doc[]) => onChange(setAt(definition, ["output_sections"], next.length === 0 ? undefined : next));
  const listId = idAt(["output_sections"]);
  const add = () => {
    put([...sections, { key: "", label: "", type: "summary" }]);
    focusSoon(idAt(["output_sections", sections.length, "key"]));
  };
  return (
    <Part title={t("output.sections")} help={t("output.sections.help")}>
      <ol id={listId} tabIndex={-1} className="grid gap-2">
        {sections.map((section, index) => (
          <ListItem
            key={index}
            title={String(section["label"] || section["key"] || index + 1)}
            listId={listId}
            index={index}
            count={sections.length}
            onMove={(by) => put(moved(sections, index, by))}
            onRemove={() => put(sections.filter((_, at) => at !== index))}
          >
            <FieldList specs={SPECS} doc={section} at={["output_sections", index]} complaint={complaint} onChange={(next) => put(sections.map((one, at) => (at === index ? next : one)))} />
          </ListItem>
        ))}
      </ol>
      <Button id={`${listId}-add`} variant="outline" className="justify-self-start" onClick={add}>
        <Plus aria-hidden />
        {t("output.add")}
      </Button>
    </Part>
  );
}
