import { Command } from "cmdk";
import { Check, ChevronsUpDown } from "lucide-react";
import { useState, type ReactNode } from "react";

import { cn } from "./cn";
import { fieldClasses } from "./input";
import { useT } from "./messages";
import { Popover, PopoverContent, PopoverTrigger } from "./popover";

export interface ComboboxOption {
  value: string;
  label: string;
  detail?: ReactNode;
}

export interface ComboboxProps {
  /** The name of the control, for those who do not see its label. */
  label: string;
  id?: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
  options: ComboboxOption[];
  placeholder?: string;
  /** Where the options come from the server: what is typed. Then nothing is filtered here. */
  onSearch?(text: string): void;
  className?: string;
}

/** One of many, found by typing. Choosing the chosen one again takes it back. */
export function Combobox({ label, id, value, onChange, options, placeholder, onSearch, className }: ComboboxProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger id={id} role="combobox" aria-expanded={open} aria-label={label} className={cn(fieldClasses, "flex h-8 items-center justify-between gap-2 text-left", className)}>
        <span className={cn("truncate", !chosen && value === undefined && "text-muted-foreground")}>{chosen?.label ?? value ?? placeholder ?? t("choose")}</span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </PopoverTrigger>
      <PopoverContent className="w-(--radix-popover-trigger-width) min-w-56 p-0">
        <Command label={label} shouldFilter={onSearch === undefined}>
          <Command.Input autoFocus placeholder={t("search")} onValueChange={onSearch} className="w-full border-b bg-transparent px-3 py-2 text-sm outline-none placeholder:text-muted-foreground max-md:text-[16px]" />
          <Command.List className="max-h-64 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-4 text-center text-sm text-muted-foreground">{t("nothingFound")}</Command.Empty>
            {options.map((option) => (
              <Command.Item
                key={option.value}
                value={option.value}
                keywords={[option.label]}
                onSelect={() => {
                  onChange(option.value === value ? undefined : option.value);
                  setOpen(false);
                }}
                className="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-accent max-md:min-h-11"
              >
                <Check aria-hidden className={cn("size-4 shrink-0", option.value !== value && "invisible")} />
                <span className="min-w-0 flex-1 truncate">{option.label}</span>
                {option.detail}
              </Command.Item>
            ))}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  );
}
