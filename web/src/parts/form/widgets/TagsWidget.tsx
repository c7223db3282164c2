import type { WidgetProps } from "@rjsf/utils";
import { X } from "lucide-react";
import { useState, type KeyboardEvent } from "react";

import { useT } from "../messages";
import { CONTROL } from "../styles";
import { aria } from "./aria";

/** A list of short texts: Enter adds one, Backspace in the empty box takes the last one out. */
export function TagsWidget(props: WidgetProps & { list?: string }) {
  const { id, value, disabled, readonly, placeholder, onChange, schema } = props;
  const t = useT();
  const [text, setText] = useState("");
  const chosen: string[] = Array.isArray(value) ? value.map(String) : [];
  const isOff = disabled || readonly;

  const add = (given: string) => {
    const words = given.split("\n").map((word) => word.trim()).filter(Boolean);
    const fresh = schema.uniqueItems ? words.filter((word) => !chosen.includes(word)) : words;
    setText("");
    if (fresh.length > 0) onChange([...chosen, ...fresh]);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" && text.trim() !== "") {
      event.preventDefault();
      add(text);
    }
    if (event.key === "Backspace" && text === "" && chosen.length > 0) onChange(chosen.slice(0, -1));
  };

  return (
    <div className="flex flex-col gap-2">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {chosen.map((tag, index) => (
            <li key={index} className="flex max-w-full items-center gap-1 rounded-md bg-secondary py-0.5 pr-0.5 pl-2 text-sm text-secondary-foreground">
              <span className="truncate">{tag}</span>
              <button
                type="button"
                className="inline-flex size-8 items-center justify-center rounded hover:bg-accent sm:size-6"
                aria-label={t("removeItem", { label: tag })}
                disabled={isOff}
                onClick={() => onChange(chosen.filter((_, place) => place !== index))}
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        name={id}
        className={CONTROL}
        list={props.list}
        autoComplete="off"
        disabled={disabled}
        readOnly={readonly}
        placeholder={placeholder ?? t("tagHint")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={key}
        onBlur={() => add(text)}
        {...aria(props)}
      />
    </div>
  );
}
