import { useId, type ReactNode } from "react";

import { Switch } from "@/ui/switch";

interface OptionProps {
  label: string;
  help?: ReactNode;
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
}

/** A switch with its words beside it. The words switch it too: they are the larger target. */
export function Option({ label, help, checked, onChange, disabled }: OptionProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <Switch id={id} checked={checked} onCheckedChange={onChange} disabled={disabled} aria-describedby={help === undefined ? undefined : `${id}-help`} className="mt-0.5 max-md:mt-3" />
      <div className="grid min-w-0 gap-0.5">
        <label htmlFor={id} className="text-sm font-medium max-md:flex max-md:min-h-11 max-md:items-center">
          {label}
        </label>
        {help !== undefined && (
          <p id={`${id}-help`} className="text-xs text-muted-foreground">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}
