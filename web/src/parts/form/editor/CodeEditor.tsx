import { lazy, Suspense } from "react";

import { cn } from "@/ui/cn";

import { CONTROL } from "../styles";

export interface CodeEditorProps {
  id: string;
  /** For screen readers. */
  label: string;
  language: "json" | "markdown" | "python" | "text";
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean;
  isInvalid?: boolean;
}

const Editor = lazy(() => import("./CodeMirrorEditor"));

/** A plain box until the editor has come, so that nobody waits to type. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<PlainEditor {...props} />}>
      <Editor {...props} />
    </Suspense>
  );
}

function PlainEditor({ id, label, value, onChange, readOnly, isInvalid }: CodeEditorProps) {
  return (
    <textarea
      id={id}
      aria-label={label}
      aria-invalid={isInvalid}
      readOnly={readOnly}
      className={cn(CONTROL, "min-h-32 font-mono text-sm sm:min-h-32")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
