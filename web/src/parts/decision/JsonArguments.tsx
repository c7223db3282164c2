import { useState, type ReactNode } from "react";

import { CodeEditor } from "../form/editor/CodeEditor";
import { isObject } from "../json/values";
import { useT } from "./messages";

interface Props {
  value: unknown;
  onChange(value: unknown): void;
  onReadable(isReadable: boolean): void;
  onSubmit(): void;
  children: ReactNode;
}

/** The arguments as JSON, for tools whose form cannot say it all. */
export function JsonArguments({ value, onChange, onReadable, onSubmit, children }: Props) {
  const t = useT();
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [reason, setReason] = useState<string>();
  const change = (next: string) => {
    setText(next);
    try {
      const read: unknown = JSON.parse(next);
      if (!isObject(read)) throw new Error(t("json.object"));
      setReason(undefined);
      onReadable(true);
      onChange(read);
    } catch (error) {
      setReason(error instanceof Error ? error.message : String(error));
      onReadable(false);
    }
  };
  return (
    <form
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <CodeEditor id="edit-json" label={t("edit.arguments")} language="json" value={text} onChange={change} isInvalid={reason !== undefined} />
      {reason !== undefined && (
        <p role="alert" className="text-sm break-words text-bad">
          {t("json.unreadable", { reason })}
        </p>
      )}
      {children}
    </form>
  );
}
