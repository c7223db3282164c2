import { Plus } from "lucide-react";

import { Button } from "@/ui/button";

import { FieldList } from "../controls/FieldList";
import type { ControlSpec } from "../controls/types";
import { isObject, setAt, type Doc } from "../doc/json";
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
  return (
    <Part title={t("output.sections")} help={t("output.sections.help")}>
      <ol className="grid gap-2">
        {sections.map((section, index) => (
          <ListItem
            key={index}
            title={String(section["label"] || section["key"] || index + 1)}
            isFirst={index === 0}
            isLast={index === sections.length - 1}
            onMove={(by) => put(moved(sections, index, by))}
            onRemove={() => put(sections.filter((_, at) => at !== index))}
          >
            <FieldList specs={SPECS} doc={section} at={["output_sections", index]} complaint={complaint} onChange={(next) => put(sections.map((one, at) => (at === index ? next : one)))} />
          </ListItem>
        ))}
      </ol>
      <Button variant="outline" className="justify-self-start" onClick={() => put([...sections, { key: "", label: "", type: "summary" }])}>
        <Plus aria-hidden />
        {t("output.add")}
      </Button>
    </Part>
  );
}
