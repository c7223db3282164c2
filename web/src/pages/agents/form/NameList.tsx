import { X } from "lucide-react";
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";

import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";

interface NameListProps {
  id: string;
  label: string;
  help?: ReactNode;
  value: readonly string[];
  onChange(value: string[]): void;
  suggestions: readonly string[];
  isReadOnly: boolean;
  placeholder?: string;
}

/** Names, one after the other: Enter adds one, Backspace in the empty box takes the last one out. Names come from elsewhere, but need not. */
export function NameList({ id, label, help, value, onChange, suggestions, isReadOnly, placeholder }: NameListProps) {
  const t = useT();
  const list = useId();
  const [text, setText] = useState("");
  const add = (given: string) => {
    const name = given.trim();
    setText("");
    if (name !== "" && !value.includes(name)) onChange([...value, name]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" && text.trim() !== "") {
      event.preventDefault();
      add(text);
    }
    if (event.key === "Backspace" && text === "" && value.length > 0) onChange(value.slice(0, -1));
  };
  return (
    <Field id={id} label={label} help={help}>
      {value.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {value.map((name) => (
            <li key={name} className="flex max-w-full items-center gap-1 rounded-md bg-secondary py-0.5 pr-0.5 pl-2 text-sm text-secondary-foreground">
              <span className="truncate">{name}</span>
              {!isReadOnly && (
                <button type="button" aria-label={t("list.remove", { name })} onClick={() => onChange(value.filter((one) => one !== name))} className="grid size-6 place-items-center rounded-sm hover:bg-accent max-md:size-11">
                  <X aria-hidden className="size-3.5" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isReadOnly ? (
        value.length === 0 && <p className="text-sm text-muted-foreground">{t("list.none")}</p>
      ) : (
        <>
          <Input
            id={id}
            list={list}
            value={text}
            autoComplete="off"
            placeholder={placeholder ?? t("list.add")}
            aria-describedby={help === undefined ? undefined : `${id}-help`}
            onChange={(event) => {
              const { value: next } = event.target;
              // A suggestion that was picked is whole: nobody has to press Enter for it.
              const isPicked = !("inputType" in event.nativeEvent) || (event.nativeEvent as InputEvent).inputType === "insertReplacementText";
              if (isPicked && suggestions.includes(next)) add(next);
              else setText(next);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => add(text)}
          />
          <datalist id={list}>
            {suggestions
              .filter((name) => !value.includes(name))
              .map((name) => (
                <option key={name} value={name} />
              ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
