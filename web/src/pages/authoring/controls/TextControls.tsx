import { useState } from "react";

import { CodeEditor } from "@/parts/form/editor/CodeEditor";
import { Input, Textarea } from "@/ui/input";
import { NativeSelect } from "@/ui/native-select";
import { Switch } from "@/ui/switch";

import { isSame } from "../doc/json";
import { useT } from "../messages";
import { Suggestions } from "./Suggestions";
import type { ControlProps } from "./types";

const written = (value: unknown) => (typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value));

/** An empty box takes the key out, unless the definition needs it. */
const kept = (text: string, needed: boolean | undefined) => (text === "" && !needed ? undefined : text);

export function TextControl({ id, value, onChange, spec, describedBy, isInvalid, disabled }: ControlProps) {
  const list = spec.suggest && `${id}-suggestions`;
  return (
    <>
      <Input
        id={id}
        value={written(value)}
        list={list}
        placeholder={spec.placeholder}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        onChange={(event) => onChange(kept(event.target.value, spec.needed))}
      />
      {spec.suggest && list && <Suggestions id={list} name={spec.suggest} />}
    </>
  );
}

export function LinesControl({ id, value, onChange, spec, describedBy, isInvalid, disabled }: ControlProps) {
  return (
    <Textarea
      id={id}
      rows={3}
      value={written(value)}
      placeholder={spec.placeholder}
      disabled={disabled}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(kept(event.target.value, spec.needed))}
    />
  );
}

export function CodeControl({ id, label, value, onChange, spec, isInvalid, disabled }: ControlProps) {
  return <CodeEditor id={id} label={label} language={spec.language ?? "text"} value={written(value)} onChange={(text) => onChange(kept(text, spec.needed))} isInvalid={isInvalid} readOnly={disabled} />;
}

/** What is no number is kept as it was typed: the server says what is wrong with it. */
function parsed(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

export function NumberControl({ id, value, onChange, spec, describedBy, isInvalid, disabled }: ControlProps) {
  const [text, setText] = useState(written(value));
  const [known, setKnown] = useState(value);
  // Somebody else changed it: the box follows. `1.` and `1` are the same number, so what is being typed stays.
  if (!isSame(value, known)) {
    setKnown(value);
    if (parsed(text) !== (value ?? undefined)) setText(written(value));
  }
  return (
    <Input
      id={id}
      inputMode="decimal"
      value={text}
      placeholder={spec.placeholder}
      autoComplete="off"
      disabled={disabled}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      onChange={(event) => {
        setText(event.target.value);
        onChange(parsed(event.target.value));
      }}
    />
  );
}

export function ChoiceControl({ id, value, onChange, spec, describedBy, isInvalid, disabled }: ControlProps) {
  const t = useT();
  const choices = spec.choices ?? [];
  const shown = value ?? spec.fallback;
  const isKnown = shown === undefined || choices.some((choice) => choice.value === shown);
  const change = (text: string) => onChange(choices.find((choice) => String(choice.value) === text)?.value);
  return (
    <NativeSelect id={id} value={shown === undefined ? "" : choiceText(shown)} disabled={disabled} aria-invalid={isInvalid || undefined} aria-describedby={describedBy} onChange={(event) => change(event.target.value)}>
      {(spec.none !== undefined || shown === undefined) && <option value="">{spec.none === undefined ? t("choose") : t(spec.none)}</option>}
      {choices.map((choice) => (
        <option key={String(choice.value)} value={String(choice.value)}>
          {t(choice.label)}
        </option>
      ))}
      {!isKnown && <option value={choiceText(shown)}>{written(shown)}</option>}
    </NativeSelect>
  );
}

const choiceText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

export function SwitchControl({ id, value, onChange, describedBy, disabled, spec }: ControlProps) {
  return <Switch id={id} checked={value === true} disabled={disabled} aria-describedby={describedBy} onCheckedChange={(on) => onChange(on || spec.needed ? on : undefined)} />;
}
