import { useState, type ReactNode } from "react";

import { complaints, type Complaint } from "@/parts/form";
import { CodeEditor } from "@/parts/form/editor/CodeEditor";

import { useT } from "./messages";

interface Props {
  schema: unknown;
  value: unknown;
  onChange: (value: unknown) => void;
  onSubmit: (input: unknown) => void;
  children: ReactNode;
}

/** The whole input as JSON: exactly what is written here is sent. */
export function JsonInput({ schema, value, onChange, onSubmit, children }: Props) {
  const t = useT();
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2));
  const [known, setKnown] = useState(value);
  const [reason, setReason] = useState<string>();
  const [found, setFound] = useState<Complaint[]>([]);
  if (value !== known) {
    setKnown(value);
    setText(JSON.stringify(value ?? {}, null, 2));
    setReason(undefined);
  }
  const change = (next: string) => {
    setText(next);
    try {
      const read: unknown = next.trim() === "" ? {} : JSON.parse(next);
      setKnown(read);
      setReason(undefined);
      onChange(read);
    } catch (error) {
      setReason(error instanceof Error ? error.message : String(error));
    }
  };
  const submit = () => {
    if (reason !== undefined) return;
    const wrong = complaints(schema, known);
    setFound(wrong);
    if (wrong.length === 0) onSubmit(known);
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <CodeEditor id="input-json" label={t("form.json")} language="json" value={text} onChange={change} isInvalid={reason !== undefined} />
      {(reason !== undefined || found.length > 0) && (
        <ul role="alert" className="flex flex-col gap-1 text-sm text-bad">
          {reason !== undefined && <li>{t("input.unreadable", { reason })}</li>}
          {found.map(({ path, message }, index) => (
            <li key={index} className="break-words">
              <code className="font-mono">{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {children}
    </form>
  );
}
