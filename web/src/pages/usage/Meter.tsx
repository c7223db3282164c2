import { TriangleAlert } from "lucide-react";
import { useId } from "react";

import { useT } from "./messages";

interface MeterProps {
  label: string;
  used: number;
  /** Nothing: there is no bound, and no meter. */
  bound: number | null | undefined;
  show(value: number): string;
}

const NEAR = 0.8;

/** How much of a bound is used; words say what the bar says. */
export function Meter({ label, used, bound, show }: MeterProps) {
  const t = useT();
  const id = useId();
  if (bound === undefined || bound === null) return null;
  const share = bound === 0 ? 1 : used / bound;
  const tone = share >= 1 ? "text-bad" : share >= NEAR ? "text-warn" : "text-muted-foreground";
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={id} className="text-sm">
        {label}
      </span>
      <div role="meter" aria-labelledby={id} aria-valuemin={0} aria-valuemax={bound} aria-valuenow={Math.min(used, bound)} aria-valuetext={t("limits.used", { used: show(used), bound: show(bound) })} className="h-2 overflow-hidden rounded-full bg-muted">
        <div className={`h-full rounded-full ${share >= 1 ? "bg-bad" : share >= NEAR ? "bg-warn" : "bg-primary"}`} style={{ width: `${String(Math.min(1, share) * 100)}%` }} />
      </div>
      <span className={`flex items-center gap-1 text-xs tabular-nums ${tone}`}>
        {share >= NEAR && <TriangleAlert aria-hidden className="size-3.5" />}
        {t("limits.used", { used: show(used), bound: show(bound) })}
        {share >= 1 ? ` · ${t("limits.over")}` : share >= NEAR ? ` · ${t("limits.near")}` : ""}
      </span>
    </div>
  );
}
