import { Download } from "lucide-react";
import { useMemo, useState } from "react";

import type { Tool } from "@/api/queries";
import { CopyButton } from "@/parts/copy/CopyButton";
import { save } from "@/parts/sections/save";
import { Button } from "@/ui/button";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { INPUT_FILE, inputFile, isInline, LANGUAGES, type CallAsCode, type LanguageId } from "./code/languages";
import { withoutSecrets } from "./code/redact";
import { useT } from "./messages";

/** The call as a program makes it. No key, no session, no password is ever in it. */
export function AsCode({ tool, input, wasMade }: { tool: Tool; input: unknown; wasMade: boolean }) {
  const t = useT();
  const [id, setId] = useState<LanguageId>("curl");
  const call = useMemo<CallAsCode>(
    () => ({ origin: window.location.origin, tool: tool.name, input: withoutSecrets(input, tool.input_schema) }),
    [tool, input],
  );
  const language = LANGUAGES.find((known) => known.id === id) ?? LANGUAGES[0];
  const text = language.write(call);
  const hasFile = !isInline(call) && id !== "mcp";
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ToggleGroup type="single" value={id} aria-label={t("code.language")} onValueChange={(next) => next && setId(next as LanguageId)}>
        {LANGUAGES.map(({ id: value, label }) => (
          <ToggleGroupItem key={value} value={value}>
            {label}
          </ToggleGroupItem>
        ))}
      </ToggleGroup>
      <p className="text-sm text-muted-foreground">{wasMade ? t("code.fromRun") : t("code.fromForm")}</p>
      <div className="relative min-w-0">
        {/* It scrolls, so a keyboard must be able to get into it. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0} role="region" aria-label={language.label} className="max-h-[28rem] overflow-auto rounded-lg border border-border bg-muted p-3 pr-12 font-mono text-xs">
          {text}
        </pre>
        <CopyButton text={text} className="absolute top-1 right-1" />
      </div>
      <p className="text-sm text-muted-foreground">
        {t("code.hint")} {t("code.secrets")}
      </p>
      {hasFile && (
        <Button variant="outline" size="sm" className="self-start" onClick={() => save(inputFile(call, id), INPUT_FILE, "application/json")}>
          <Download aria-hidden />
          {t("code.file", { file: INPUT_FILE })}
        </Button>
      )}
    </div>
  );
}
