import { useState } from "react";

import { CodeEditor } from "@/parts/form/editor/CodeEditor";

import { isSame } from "../doc/json";
import { useT } from "../messages";

interface Props {
  id: string;
  label: string;
  value: unknown;
  onChange(value: unknown): void;
  isInvalid?: boolean;
  disabled?: boolean;
  /** What an empty editor stands for. */
  empty?: unknown;
}

const written = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2));

/** A value as JSON. What does not parse yet changes nothing. */
export function JsonControl({ id, label, value, onChange, isInvalid = false, disabled = false, empty }: Props) {
  const t = useT();
  const [text, setText] = useState(() => written(value));
  const [known, setKnown] = useState(value);
  const [reason, setReason] = useState<string>();
  if (value !== known) {
    setKnown(value);
    // One's own change comes back: what is written stays as it is, with its spaces.
    if (!isSame(value, readable(text))) {
      setText(written(value));
      setReason(undefined);
    }
  }
  const change = (next: string) => {
    setText(next);
    if (next.trim() === "") {
      setReason(undefined);
      onChange(empty);
      return;
    }
    try {
      const read: unknown = JSON.parse(next);
      setReason(undefined);
      onChange(read);
    } catch (error) {
      setReason(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="grid min-w-0 gap-1">
      <CodeEditor id={id} label={label} language="json" value={text} onChange={change} isInvalid={isInvalid || reason !== undefined} readOnly={disabled} />
      {reason !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {t("json.invalid", { reason })}
        </p>
      )}
    </div>
  );
}

function readable(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return NaN;
  }
}
