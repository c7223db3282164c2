import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";

import { cn } from "@/ui/cn";

import { CodeEditor, type CodeEditorProps } from "../editor/CodeEditor";
import { useT } from "../messages";
import { CONTROL, SMALL_BUTTON } from "../styles";
import { aria } from "./aria";

/** What every control that holds a text has in common. */
function textProps(props: WidgetProps) {
  const { id, value, disabled, readonly, placeholder, options, onChange, onBlur, onFocus } = props;
  type Typed = { target: { value: string } };
  return {
    id,
    name: id,
    disabled,
    readOnly: readonly,
    placeholder,
    value: typeof value === "string" ? value : "",
    onChange: ({ target }: Typed) => onChange(target.value === "" ? options.emptyValue : target.value),
    onBlur: ({ target }: Typed) => onBlur(id, target.value),
    onFocus: ({ target }: Typed) => onFocus(id, target.value),
    ...aria(props),
  };
}

export function TextareaWidget(props: WidgetProps) {
  return <textarea className={cn(CONTROL, "field-sizing-content max-h-96 min-h-24 sm:min-h-24")} rows={props.options.rows ?? 4} {...textProps(props)} />;
}

export function PasswordWidget(props: WidgetProps) {
  const t = useT();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="flex gap-2">
      <input className={CONTROL} type={isShown ? "text" : "password"} autoComplete="off" spellCheck={false} {...textProps(props)} />
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
      readOnly={Boolean(disabled || readonly)}
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
