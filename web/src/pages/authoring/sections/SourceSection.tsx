import { Download } from "lucide-react";

import { fileName, save } from "@/parts/sections/save";
import { Button } from "@/ui/button";

import { JsonControl } from "../controls/JsonControl";
import { idAt, isObject } from "../doc/json";
import { toolFile } from "../doc/toolfile";
import { useT } from "../messages";
import { Part } from "./Part";
import type { SectionProps } from "./SectionProps";

/** The whole definition, with what no form shows. It is the same document that the forms fill in. */
export function SourceSection({ definition, onChange, complaint }: SectionProps) {
  const t = useT();
  const name = fileName(String(definition["name"] || "tool"));
  return (
    <Part
      title={t("source")}
      help={t("source.help")}
      actions={
        <>
          <Button variant="outline" size="sm" onClick={() => save(toolFile(definition), `${name}.TOOL.md`, "text/markdown;charset=utf-8")}>
            <Download aria-hidden />
            TOOL.md
          </Button>
          <Button variant="outline" size="sm" onClick={() => save(JSON.stringify(definition, null, 2), `${name}.json`, "application/json")}>
            <Download aria-hidden />
            JSON
          </Button>
        </>
      }
    >
      {complaint && (
        <p role="alert" className="text-sm break-words text-bad">
          <code className="font-mono">{complaint.pointer}</code> {complaint.message}
        </p>
      )}
      <JsonControl id={idAt(["source"])} label={t("source")} value={definition} onChange={(value) => isObject(value) && onChange(value)} />
    </Part>
  );
}
