import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";

import { useShortcut } from "@/app/shortcuts";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import type { Moment } from "./moments";
import { useMomentName } from "./names";

interface PlayerProps {
  moments: Moment[];
  at: number;
  onGo(index: number): void;
}

/** First, previous, next, last: by click, and by the keys of the same name. */
export function Player({ moments, at, onGo }: PlayerProps) {
  const t = useT();
  const name = useMomentName();
  const last = moments.length - 1;
  const group = t("tab.replay");
  useShortcut({ keys: "Home", label: t("first"), group, run: () => onGo(0) });
  useShortcut({ keys: "ArrowLeft", label: t("previous"), group, run: () => onGo(Math.max(0, at - 1)) });
  useShortcut({ keys: "ArrowRight", label: t("next"), group, run: () => onGo(Math.min(last, at + 1)) });
  useShortcut({ keys: "End", label: t("last"), group, run: () => onGo(last) });
  const moment = moments[at];
  return (
    <div role="group" aria-label={t("player")} className="flex flex-wrap items-center gap-2">
      <span className="inline-flex items-center gap-1">
        <PlayerButton icon={ChevronFirst} label={t("first")} disabled={at === 0} onClick={() => onGo(0)} />
        <PlayerButton icon={ChevronLeft} label={t("previous")} disabled={at === 0} onClick={() => onGo(at - 1)} />
        <PlayerButton icon={ChevronRight} label={t("next")} disabled={at === last} onClick={() => onGo(at + 1)} />
        <PlayerButton icon={ChevronLast} label={t("last")} disabled={at === last} onClick={() => onGo(last)} />
      </span>
      <p role="status" className="text-sm">
        {moment && (
          <>
            <span className="font-medium">{name(moment)}</span> <span className="text-muted-foreground tabular-nums">{t("position", { at: at + 1, of: moments.length })}</span>
          </>
        )}
      </p>
      <p className="ml-auto text-xs text-muted-foreground max-md:hidden">{t("keys")}</p>
    </div>
  );
}

// Not `disabled`: the focus would be lost at either end.
function PlayerButton({ icon: Icon, label, disabled, onClick }: { icon: LucideIcon; label: string; disabled: boolean; onClick(): void }) {
  return (
    <Button variant="outline" size="icon" aria-label={label} title={label} aria-disabled={disabled || undefined} onClick={() => !disabled && onClick()}>
      <Icon aria-hidden />
    </Button>
  );
}
