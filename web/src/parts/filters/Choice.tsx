import { useId } from "react";

import { NativeSelect } from "@/ui/native-select";

import { Labelled } from "./Labelled";

interface ChoiceProps<T extends string> {
  label: string;
  /** The words for “whichever”. */
  any: string;
  value: T | undefined;
  options: readonly { value: T; label: string }[];
  onChange(value: T | undefined): void;
}

/** One of a few, or whichever. */
export function Choice<T extends string>({ label, any, value, options, onChange }: ChoiceProps<T>) {
  const id = useId();
  // What an old address asks for may not be there any more; it is what is asked for all the same.
  const known = value === undefined || options.some((one) => one.value === value) ? options : [...options, { value, label: value }];
  return (
    <Labelled id={id} label={label}>
      <NativeSelect id={id} aria-label={label} className="max-w-48 max-md:max-w-none" value={value ?? ""} onChange={(event) => onChange(known.find((one) => one.value === event.target.value)?.value)}>
        <option value="">{any}</option>
        {known.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </NativeSelect>
    </Labelled>
  );
}
