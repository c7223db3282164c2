import { KindIcon } from "@/pages/tools/kinds";
import { cn } from "@/ui/cn";
import { RadioGroup, RadioGroupItem } from "@/ui/radio-group";

import { KINDS, type Kind } from "../doc/definition";
import { useT } from "../messages";

/** What runs the tool. */
export function KindChoice({ value, onChange }: { value: string; onChange(kind: Kind): void }) {
  const t = useT();
  return (
    <RadioGroup value={value} aria-label={t("kind")} className="grid gap-2 sm:grid-cols-2 2xl:grid-cols-3" onValueChange={(kind) => onChange(kind as Kind)}>
      {KINDS.map((kind) => (
        <label key={kind} htmlFor={`kind-${kind}`} className={cn("flex cursor-pointer items-start gap-2.5 rounded-lg border p-3 hover:bg-accent/50", value === kind && "border-primary")}>
          <RadioGroupItem id={`kind-${kind}`} value={kind} aria-label={t(`kind.${kind}`)} aria-describedby={`kind-${kind}-help`} className="mt-0.5" />
          <span className="grid min-w-0 gap-0.5">
            <span className="flex items-center gap-1.5 text-sm font-medium">
              <KindIcon kind={kind} className="size-4 text-muted-foreground" />
              {t(`kind.${kind}`)}
            </span>
            <span id={`kind-${kind}-help`} className="text-xs text-muted-foreground">
              {t(`kind.${kind}.help`)}
            </span>
          </span>
        </label>
      ))}
    </RadioGroup>
  );
}
