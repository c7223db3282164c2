import type { FieldProps } from "@rjsf/utils";
import { useState } from "react";

import { CodeEditor } from "../editor/CodeEditor";
import { useT } from "../messages";

/** For what no widget can show: the value as JSON. */
export function JsonField(props: FieldProps) {
  const { fieldPathId, formData, onChange, disabled, readonly, rawErrors, schema, name, required } = props;
  const t = useT();
  const [text, setText] = useState(() => written(formData));
  const [known, setKnown] = useState<unknown>(formData);
  const [reason, setReason] = useState<string>();
  // Somebody else filled the form, such as a re-run: what is written here follows.
  if (formData !== known) {
    setKnown(formData);
    setText(written(formData));
    setReason(undefined);
  }
  const change = (next: string) => {
    setText(next);
    const read = parsed(next);
    setReason(read.reason);
    if (read.reason !== undefined) return;
    setKnown(read.value);
    onChange(read.value as never, fieldPathId.path);
  };
  const label = schema.title ?? (name || "JSON");
  return (
    <div className="flex flex-col gap-1.5">
      <div className="text-sm font-medium">
        {label}{" "}
        {required && <span className="ml-0.5 text-xs font-normal text-muted-foreground">{t("required")}</span>}
      </div>
      {schema.description && (
        <p id={`${fieldPathId.$id}__description`} className="text-sm text-muted-foreground">
          {schema.description}
        </p>
      )}
      <CodeEditor
        id={fieldPathId.$id}
        label={t("jsonEditor", { label })}
        language="json"
        value={text}
        onChange={change}
        readOnly={Boolean(disabled || readonly)}
        isInvalid={reason !== undefined || (rawErrors?.length ?? 0) > 0}
      />
      {reason !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {t("jsonInvalid", { reason })}
        </p>
      )}
    </div>
  );
}

function written(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

function parsed(text: string): { value?: unknown; reason?: string } {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
