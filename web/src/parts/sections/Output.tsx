import { Braces, Download } from "lucide-react";
import { useState } from "react";

import type { Schemas } from "@/api/client";
import { Button } from "@/ui/button";

import { CopyButton } from "../copy/CopyButton";
import { JsonTree } from "../json/JsonTree";
import { isObject } from "../json/values";
import { Attachments } from "./Attachments";
import { Blocks } from "./Blocks";
import { blocksOf } from "./content";
import { Generic } from "./Generic";
import { useT } from "./messages";
import { fileName, save } from "./save";
import { Section, type OutputSection } from "./Section";

interface Props {
  output: unknown;
  sections?: OutputSection[];
  attachments?: Schemas["Attachment"][];
  /** Of the files that are made of it: the tool, or the call. */
  name: string;
}

/** What a tool answered: by its sections, by its shape where it declares none, and raw with one click. */
export function Output({ output, sections = [], attachments = [], name }: Props) {
  const t = useT();
  const [isRaw, setIsRaw] = useState(false);
  const members = isObject(output) ? output : {};
  const shown = sections.filter(({ key }) => key in members);
  const rest = Object.fromEntries(Object.entries(members).filter(([key]) => !sections.some((section) => section.key === key)));
  const blocks = blocksOf(output);
  const hasOutput = output !== undefined && output !== null;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {hasOutput && (
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" size="sm" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            <Braces aria-hidden />
            {t("raw")}
          </Button>
          <CopyButton variant="outline" size="sm" text={() => JSON.stringify(output, null, 2)}>
            {t("copyJson")}
          </CopyButton>
          <Button variant="outline" size="sm" onClick={() => save(JSON.stringify(output, null, 2), `${fileName(name)}.json`, "application/json")}>
            <Download aria-hidden />
            {t("downloadJson")}
          </Button>
        </div>
      )}
      {!hasOutput && attachments.length === 0 && <p className="text-sm text-muted-foreground">{t("empty")}</p>}
      {hasOutput && isRaw && <JsonTree value={output} label={t("raw")} />}
      {hasOutput && !isRaw && shown.length === 0 && (blocks ? <Blocks blocks={blocks} label={name} /> : <Generic value={output} label={name} />)}
      {hasOutput && !isRaw && shown.length > 0 && (
        <>
          {shown.map((section, index) => (
            <section key={index} aria-label={section.label} className="flex min-w-0 flex-col gap-2">
              <h3 className="text-sm font-medium">{section.label}</h3>
              <Section section={section} value={members[section.key]} />
            </section>
          ))}
          {Object.keys(rest).length > 0 && (
            <section aria-label={t("other")} className="flex min-w-0 flex-col gap-2">
              <h3 className="text-sm font-medium">{t("other")}</h3>
              <Generic value={rest} label={t("other")} />
            </section>
          )}
        </>
      )}
      <Attachments attachments={attachments} />
    </div>
  );
}
