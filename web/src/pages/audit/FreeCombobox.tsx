import { useState } from "react";

import { Combobox, type ComboboxOption } from "@/ui/combobox";

interface FreeComboboxProps {
  label: string;
  any: string;
  value: string | undefined;
  options: ComboboxOption[];
  onChange(value: string | undefined): void;
  /** How what was typed itself is offered. */
  typed(text: string): string;
  className?: string;
}

const MOST = 60;

/** One of the suggestions, or whatever was typed: an id from a log is a good question too. */
export function FreeCombobox({ label, any, value, options, onChange, typed, className }: FreeComboboxProps) {
  const [text, setText] = useState("");
  const asked = text.trim().toLowerCase();
  const fitting = options.filter(({ label: name, value: one }) => asked === "" || name.toLowerCase().includes(asked) || one.toLowerCase().includes(asked)).slice(0, MOST);
  const isNew = asked !== "" && !options.some(({ value: one }) => one === text.trim());
  const chosen = value !== undefined && !options.some((one) => one.value === value) ? [{ value, label: value }] : [];
  const offered = [...(asked === "" ? chosen : []), ...fitting, ...(isNew ? [{ value: text.trim(), label: typed(text.trim()) }] : [])];
  // The name of the chosen one must be known, also while something else is typed.
  const known = value === undefined || offered.some((one) => one.value === value) ? offered : [...offered, ...options.filter((one) => one.value === value), ...chosen];
  return (
    <Combobox
      label={label}
      value={value}
      options={known}
      placeholder={any}
      onSearch={setText}
      className={className}
      onChange={(next) => {
        setText("");
        onChange(next);
      }}
    />
  );
}
