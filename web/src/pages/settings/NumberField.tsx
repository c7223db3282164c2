import { useId } from "react";

import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

interface NumberFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  help?: string;
  placeholder?: string;
  min?: number;
  /** Money: with decimals. */
  isAmount?: boolean;
  required?: boolean;
  className?: string;
}

export function NumberField({ label, value, onChange, help, placeholder, min = 0, isAmount = false, required = false, className }: NumberFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} help={help} className={className}>
      <Input id={id} type="number" inputMode={isAmount ? "decimal" : "numeric"} min={min} step={isAmount ? "any" : 1} value={value} onChange={(event) => onChange(event.target.value)} placeholder={placeholder} required={required} aria-describedby={help === undefined ? undefined : `${id}-help`} className="tabular-nums" />
    </Field>
  );
}
