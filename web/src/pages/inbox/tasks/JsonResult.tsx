import { useState, type ReactNode } from "react";

import { CodeEditor } from "@/parts/form/editor/CodeEditor";

import { useT } from "../messages";

/** The result as JSON, where there is no form for it. */
export function JsonResult({ onSubmit, children }: { onSubmit(result: Record<string, unknown>): void; children: ReactNode }) {
  const t = useT();
  const [text, setText] = useState("{}");
  const [reason, setReason] = useState<string>();
  return (
    <form
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        try {
          onSubmit(JSON.parse(text) as Record<string, unknown>);
          setReason(undefined);
        } catch (error) {
          setReason(error instanceof Error ? error.message : String(error));
        }
      }}
    >
      <CodeEditor id="task-json" label={t("task.result")} language="json" value={text} onChange={setText} isInvalid={reason !== undefined} />
      {reason !== undefined && (
        <p role="alert" className="text-sm break-words text-bad">
          {reason}
        </p>
      )}
      {children}
    </form>
  );
}
