import { useId } from "react";

import { Checkbox } from "@/ui/checkbox";

interface CheckListProps {
  label: string;
  options: { value: string; label: string; detail?: string }[];
  chosen: string[];
  onChange(chosen: string[]): void;
  disabled?: boolean;
}

/** Any number of a few, each with its box. */
export function CheckList({ label, options, chosen, onChange, disabled = false }: CheckListProps) {
  const id = useId();
  const toggle = (value: string, isOn: boolean) => onChange(isOn ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))] gap-x-4">
        {options.map((option) => (
          <label key={option.value} htmlFor={`${id}-${option.value}`} className="flex min-h-8 min-w-0 items-start gap-2 py-1 max-md:min-h-11">
            <Checkbox id={`${id}-${option.value}`} checked={chosen.includes(option.value)} disabled={disabled} className="mt-0.5" onCheckedChange={(isOn) => toggle(option.value, isOn === true)} />
            <span className="min-w-0">
              <span className="block truncate">{option.label}</span>
              {option.detail !== undefined && <span className="block text-xs text-muted-foreground"> {option.detail}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
