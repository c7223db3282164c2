import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useRef } from "react";

import { notify } from "@/app/notify";
import { Button } from "@/ui/button";

import { keepDraft } from "../doc/drafts";
import { definitionIn } from "../doc/toolfile";
import { YamlError } from "../doc/yamlRead";
import { useT } from "../messages";

const MAX_BYTES = 2_000_000;

/** A TOOL.md, or a definition as JSON, becomes a draft: it is looked at before it is published. */
export function ImportButton() {
  const t = useT();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    try {
      if (file.size > MAX_BYTES) throw new Error(t("import.tooLarge"));
      keepDraft("", { definition: definitionIn(await file.text()), base: undefined });
      void navigate({ to: "/admin/tools/new" });
    } catch (error) {
      const reason = error instanceof YamlError ? t("import.line", { line: error.line, reason: error.message }) : error instanceof Error && error.message !== "---" && error.message !== "{}" ? error.message : t("import.noFile");
      notify.failed(new Error(reason), t("import.failed", { file: file.name }));
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
    </>
  );
}
