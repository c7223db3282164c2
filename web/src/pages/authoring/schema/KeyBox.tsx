import { useState } from "react";

import { Field } from "@/ui/label";
import { Input } from "@/ui/input";

import { useT } from "../messages";

interface Props {
  id: string;
  name: string;
  taken: readonly string[];
  onRename(name: string): void;
}

/** The name of a field. A name that another field has is said, and not taken. */
export function KeyBox({ id, name, taken, onRename }: Props) {
  const t = useT();
  const [text, setText] = useState(name);
  const [known, setKnown] = useState(name);
  if (name !== known) {
    setKnown(name);
    setText(name);
  }
  const isTaken = text !== name && taken.includes(text);
  const error = text === "" ? t("field.key.empty") : isTaken ? t("field.key.taken", { name: text }) : undefined;
  return (
    <Field id={`${id}-key`} label={t("field.key")} help={t("field.key.help")} error={error}>
      <Input
        id={`${id}-key`}
        value={text}
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-key-help${error === undefined ? "" : ` ${id}-key-error`}`}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          if (next === "" || (next !== name && taken.includes(next))) return;
          setKnown(next);
          onRename(next);
        }}
        onBlur={() => error !== undefined && setText(name)}
      />
    </Field>
  );
}
