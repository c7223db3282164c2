import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";

import { cn } from "@/ui/cn";

import { CodeEditor, type CodeEditorProps } from "../editor/CodeEditor";
import { useT } from "../messages";
import { CONTROL, SMALL_BUTTON } from "../styles";
import { aria } from "./aria";

export function TextareaWidget(props: WidgetProps) {
  const { id, value, disabled, readonly, placeholder, options, onChange, onBlur, onFocus } = props;
  return (
    <textarea
      id={id}
      name={id}
      className={cn(CONTROL, "field-sizing-content max-h-96 min-h-24 sm:min-h-24")}
      rows={options.rows ?? 4}
      disabled={disabled}
      readOnly={readonly}
      placeholder={placeholder}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
      onBlur={(event) => onBlur(id, event.target.value)}
      onFocus={(event) => onFocus(id, event.target.value)}
      {...aria(props)}
    />
  );
}

export function PasswordWidget(props: WidgetProps) {
  const { id, value, disabled, readonly, placeholder, options, onChange, onBlur, onFocus } = props;
  const t = useT();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="flex gap-2">
      <input
        id={id}
        name={id}
        className={CONTROL}
        type={isShown ? "text" : "password"}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        readOnly={readonly}
        placeholder={placeholder}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
        onBlur={(event) => onBlur(id, event.target.value)}
        onFocus={(event) => onFocus(id, event.target.value)}
        {...aria(props)}
      />
      <button type="button" className={SMALL_BUTTON} aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? t("hidePassword") : t("showPassword")}
      </button>
    </div>
  );
}

function Editor({ language, props }: { language: CodeEditorProps["language"]; props: WidgetProps }) {
  const { id, label, value, disabled, readonly, options, onChange, rawErrors } = props;
  return (
    <CodeEditor
      id={id}
      label={label}
      language={language}
      value={typeof value === "string" ? value : ""}
      onChange={(next) => onChange(next === "" ? options.emptyValue : next)}
      readOnly={Boolean(disabled ?? readonly)}
      isInvalid={(rawErrors?.length ?? 0) > 0}
    />
  );
}

export function MarkdownWidget(props: WidgetProps) {
  return <Editor language="markdown" props={props} />;
}

const BY_MEDIA_TYPE: Record<string, CodeEditorProps["language"]> = {
  "application/json": "json",
  "text/x-python": "python",
  "text/markdown": "markdown",
};

export function CodeWidget(props: WidgetProps) {
  const { contentMediaType } = props.schema;
  return <Editor language={BY_MEDIA_TYPE[contentMediaType ?? ""] ?? "text"} props={props} />;
}
