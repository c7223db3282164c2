import { useId, type ReactNode } from "react";

import { RadioGroup, RadioGroupItem } from "@/ui/radio-group";

export interface Choice<T extends string> {
  value: T;
  label: string;
  help?: ReactNode;
  disabled?: boolean;
}

interface ChoicesProps<T extends string> {
  label: string;
  value: T;
  onChange(value: T): void;
  choices: readonly Choice<T>[];
}

/** One of a few, each explained. */
export function Choices<T extends string>({ label, value, onChange, choices }: ChoicesProps<T>) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <span id={`${id}-label`} className="text-sm font-medium">
        {label}
      </span>
      <RadioGroup aria-labelledby={`${id}-label`} value={value} onValueChange={(next) => onChange(next as T)}>
        {choices.map((choice) => (
          <div key={choice.value} className="flex items-start gap-2">
            <RadioGroupItem id={`${id}-${choice.value}`} value={choice.value} disabled={choice.disabled} aria-describedby={choice.help === undefined ? undefined : `${id}-${choice.value}-help`} className="mt-0.5 max-md:mt-3.5" />
            <div className="grid min-w-0">
              <label htmlFor={`${id}-${choice.value}`} className="text-sm max-md:flex max-md:min-h-11 max-md:items-center">
                {choice.label}
              </label>
              {choice.help !== undefined && (
                <span id={`${id}-${choice.value}-help`} className="text-xs text-muted-foreground">
                  {choice.help}
                </span>
              )}
            </div>
          </div>
        ))}
      </RadioGroup>
    </div>
  );
}
