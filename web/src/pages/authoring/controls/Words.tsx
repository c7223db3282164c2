import { X } from "lucide-react";
import { useRef, useState } from "react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";

import { useT } from "../messages";
import { Suggestions } from "./Suggestions";
import type { ControlProps } from "./types";

/** A list of names. Enter or a comma adds what is typed. */
export function Words({ id, label, value, onChange, spec, describedBy, isInvalid, disabled }: ControlProps) {
  const t = useT();
  const [text, setText] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const words: unknown[] = Array.isArray(value) ? value : [];
  const list = spec.suggest && `${id}-suggestions`;
  const put = (next: unknown[]) => onChange(next.length === 0 ? undefined : next);
  const add = () => {
    const fresh = text.split(",").map((word) => word.trim()).filter((word) => word !== "" && !words.includes(word));
    setText("");
    if (fresh.length > 0) put([...words, ...fresh]);
  };
  return (
    <div className="grid gap-1.5">
      {words.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1">
          {words.map((word, index) => (
            <li key={index} className="inline-flex max-w-full items-center gap-1 rounded-md border bg-muted py-0.5 pr-0.5 pl-2 text-sm">
              <span className="truncate">{String(word)}</span>
              <Button
                variant="ghost"
                size="icon"
                className="size-6"
                disabled={disabled}
                aria-label={t("remove", { name: String(word) })}
                onClick={() => {
                  put(words.filter((_, at) => at !== index));
                  box.current?.focus();
                }}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Input
        ref={box}
        id={id}
        list={list}
        value={text}
        placeholder={spec.placeholder ?? t("words.add")}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        onChange={(event) => setText(event.target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== ",") return;
          event.preventDefault();
          add();
        }}
      />
      {spec.suggest && list && <Suggestions id={list} name={spec.suggest} />}
    </div>
  );
}
