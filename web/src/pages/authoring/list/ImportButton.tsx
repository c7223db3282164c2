import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useRef, useState } from "react";

import { notify } from "@/app/notify";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { keepDraft, keptDraft } from "../doc/drafts";
import type { Doc } from "../doc/json";
import { definitionIn } from "../doc/toolfile";
import { YamlError } from "../doc/yamlRead";
import { useT } from "../messages";

const MAX_BYTES = 2_000_000;

/** A TOOL.md, or a definition as JSON, becomes a draft: it is looked at before it is published. */
export function ImportButton() {
  const t = useT();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const [waiting, setWaiting] = useState<Doc>();
  const begin = (definition: Doc) => {
    keepDraft("", { definition, base: undefined });
    void navigate({ to: "/admin/tools/new" });
  };
  const reasonOf = (error: unknown) => {
    if (error instanceof YamlError) return t("import.line", { line: error.line, reason: t(`yaml.${error.fault}`, { part: error.part }) });
    return error instanceof Error && error.message !== "---" && error.message !== "{}" ? error.message : t("import.noFile");
  };
  const read = async (file: File) => {
    try {
      if (file.size > MAX_BYTES) throw new Error(t("import.tooLarge"));
      const definition = definitionIn(await file.text());
      // There is room for one new tool: what somebody is writing there is not taken away unasked.
      if (keptDraft("")) setWaiting(definition);
      else begin(definition);
    } catch (error) {
      notify.failed(new Error(reasonOf(error)), t("import.failed", { file: file.name }));
    }
  };
  return (
    <>
      <input
        ref={box}
        type="file"
        accept=".md,.json,text/markdown,application/json"
        className="hidden"
        tabIndex={-1}
        aria-label={t("import")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void read(file);
        }}
      />
      <Button variant="outline" onClick={() => box.current?.click()}>
        <FileUp aria-hidden />
        {t("import")}
      </Button>
      <Confirm open={waiting !== undefined} onOpenChange={(isOpen) => !isOpen && setWaiting(undefined)} title={t("import.busy")} action={t("import.instead")} onConfirm={() => waiting && begin(waiting)}>
        {t("copy.busy.body")}
      </Confirm>
    </>
  );
}
