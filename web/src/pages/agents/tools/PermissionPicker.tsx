import { Ban, CircleCheck, Hand, Lock, type LucideIcon } from "lucide-react";
import { useId, type KeyboardEvent } from "react";

import { notify } from "@/app/notify";
import { useT as usePartsT } from "@/parts/messages";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import type { PermissionStatus } from "../queries";
import { TIERS } from "./permissions";

const LOOK: Record<PermissionStatus, { icon: LucideIcon; on: string }> = {
  always_allow: { icon: CircleCheck, on: "bg-good-soft text-good" },
  needs_approval: { icon: Hand, on: "bg-warn-soft text-warn" },
  blocked: { icon: Ban, on: "bg-bad-soft text-bad" },
};

interface PermissionPickerProps {
  tool: string;
  value: PermissionStatus;
  onChange(value: PermissionStatus): void;
  /** The tool writes outside: it can never be `always_allow`, and we say why. */
  isWrite: boolean;
  /** In a list only the row with the focus can be tabbed into. */
  isReachable?: boolean;
}

/** The three tiers. What is chosen holds at once, so the arrows only move; Space, Enter or a click choose. */
export function PermissionPicker({ tool, value, onChange, isWrite, isReachable = true }: PermissionPickerProps) {
  const t = useT();
  const words = usePartsT();
  const why = useId();
  const isLocked = (tier: PermissionStatus) => isWrite && tier === "always_allow";
  const choose = (tier: PermissionStatus) => (isLocked(tier) ? notify.info(t("write.title", { tool }), { detail: t("write.text") }) : onChange(tier));
  return (
    <div className="grid min-w-0 gap-1">
      <div role="radiogroup" aria-label={t("permission.of", { tool })} aria-describedby={isWrite ? why : undefined} tabIndex={-1} onKeyDown={move} className="inline-flex w-fit max-w-full rounded-md border p-0.5 outline-none max-sm:w-full">
        {TIERS.map((tier) => {
          const { icon: Icon, on } = LOOK[tier];
          const isOn = tier === value;
          return (
            <button
              key={tier}
              type="button"
              role="radio"
              aria-checked={isOn}
              aria-disabled={isLocked(tier) || undefined}
              tabIndex={isOn && isReachable ? 0 : -1}
              onClick={() => choose(tier)}
              className={cn(
                "inline-flex h-7 min-w-0 items-center justify-center gap-1 rounded-[4px] px-1.5 text-xs font-medium whitespace-nowrap text-muted-foreground hover:text-foreground max-md:h-11 max-sm:flex-1 [&_svg]:size-3.5 [&_svg]:shrink-0",
                isOn && on,
                isLocked(tier) && "cursor-not-allowed line-through decoration-1",
              )}
            >
              {isLocked(tier) ? <Lock aria-hidden /> : <Icon aria-hidden className="max-sm:hidden" />}
              <span className="truncate max-sm:text-center max-sm:leading-4 max-sm:whitespace-normal">{words(`permission.${tier}`)}</span>
            </button>
          );
        })}
      </div>
      {isWrite && (
        <span id={why} className="text-xs font-normal text-muted-foreground">
          {t("write.short")}
        </span>
      )}
    </div>
  );
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function move(event: KeyboardEvent<HTMLDivElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]")];
  const at = radios.findIndex((radio) => radio === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  radios[(at + step + radios.length) % radios.length]?.focus();
}
