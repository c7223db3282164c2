import type { Schemas } from "@/api/client";
import { EGRESS, RISKS } from "@/api/words";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";

interface TermProps<T> {
  id: string;
  label: string;
  help?: string;
  value: T | undefined;
  /** What it means to say nothing. Without it, something must be said. */
  unsaid: string | undefined;
  onChange(value: T | undefined): void;
  disabled?: boolean;
}

/** Whoever asks another server reaches outside: `none` would make every tool unusable, and is shown only where a program said it. */
export function EgressSelect(props: TermProps<Schemas["EgressClass"]>) {
  const t = useT();
  const choices = EGRESS.filter((one) => one !== "none" || props.value === "none");
  return <TermSelect {...props} options={choices.map((value) => ({ value, label: t(`form.egress.${value}`) }))} />;
}

export function RiskSelect(props: TermProps<Schemas["Risk"]>) {
  const t = useT();
  return <TermSelect {...props} options={RISKS.map((value) => ({ value, label: t(`form.risk.${value}`) }))} />;
}

function TermSelect<T extends string>({ id, label, help, value, unsaid, options, onChange, disabled }: TermProps<T> & { options: { value: T; label: string }[] }) {
  return (
    <Field id={id} label={label} help={help}>
      <NativeSelect id={id} aria-describedby={help === undefined ? undefined : `${id}-help`} disabled={disabled} value={value ?? ""} onChange={(event) => onChange(options.find((one) => one.value === event.target.value)?.value)}>
        {unsaid !== undefined && <option value="">{unsaid}</option>}
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
