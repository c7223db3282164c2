import { Label } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

interface ChoiceProps {
  label: string;
  /** The words for “whichever”. */
  any: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange(value: string | undefined): void;
  /** With a label in sight, as in a sheet; otherwise the words of the choice say what it is. */
  labelled?: boolean;
}

/** A filter of a list. */
export function Choice({ label, any, value, options, onChange, labelled = false }: ChoiceProps) {
  const id = `filter-${label}`;
  const known = value === undefined || options.some((one) => one.value === value) ? options : [...options, { value, label: value }];
  const select = (
    <NativeSelect id={id} aria-label={labelled ? undefined : label} value={value ?? ""} onChange={(event) => onChange(event.target.value || undefined)} className={labelled ? undefined : "max-w-48"}>
      <option value="">{any}</option>
      {known.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </NativeSelect>
  );
  if (!labelled) return select;
  return (
    <div className="grid gap-1">
      <Label htmlFor={id}>{label}</Label>
      {select}
    </div>
  );
}
