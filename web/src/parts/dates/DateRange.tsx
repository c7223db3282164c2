import { useId, useState } from "react";

import { Input } from "@/ui/input";
import { Label } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useNow } from "../time/Time";
import { useT } from "./messages";
import { firstOf, type DayRange, type Zone } from "./range";

export interface DateRangeProps {
  range: DayRange;
  onChange(range: { since: string | undefined; until: string | undefined }): void;
  zone: Zone;
  /** What no range means: these last days. Without it: any time. */
  fallbackDays?: number;
}

const PRESETS = [1, 7, 30, 90] as const;
const OWN = "own";

/** A few usual ranges, and any other by its first and last day. */
export function DateRange({ range, onChange, zone, fallbackDays }: DateRangeProps) {
  const t = useT();
  const id = useId();
  const now = useNow();
  const [wantsOwn, setWantsOwn] = useState(false);
  const since = range.since ?? (fallbackDays === undefined ? undefined : firstOf(fallbackDays, now, zone));
  const preset = range.until === undefined ? PRESETS.find((days) => since === firstOf(days, now, zone)) : undefined;
  const isAny = since === undefined && range.until === undefined;
  const chosen = wantsOwn ? OWN : preset !== undefined ? String(preset) : isAny ? "" : OWN;
  const choose = (value: string) => {
    setWantsOwn(value === OWN);
    if (value === OWN) return;
    const days = Number(value);
    const isFallback = value === "" || days === fallbackDays;
    onChange({ since: isFallback ? undefined : firstOf(days, now, zone), until: undefined });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <NativeSelect aria-label={t("label")} value={chosen} onChange={(event) => choose(event.target.value)}>
        {fallbackDays === undefined && <option value="">{t("any")}</option>}
        {PRESETS.map((days) => (
          <option key={days} value={String(days)}>
            {days === 1 ? t("today") : t("days", { days })}
          </option>
        ))}
        <option value={OWN}>{t("own")}</option>
      </NativeSelect>
      {chosen === OWN && (
        <>
          <Label htmlFor={`${id}-since`} className="text-xs text-muted-foreground">
            {t("since")}
          </Label>
          <Input id={`${id}-since`} type="date" className="w-36" value={since ?? ""} max={range.until} onChange={(event) => onChange({ since: event.target.value || undefined, until: range.until })} />
          <Label htmlFor={`${id}-until`} className="text-xs text-muted-foreground">
            {t("until")}
          </Label>
          <Input id={`${id}-until`} type="date" className="w-36" value={range.until ?? ""} min={since} onChange={(event) => onChange({ since: range.since ?? since, until: event.target.value || undefined })} />
        </>
      )}
      {zone === "utc" && <span className="text-xs text-muted-foreground">{t("utc")}</span>}
    </div>
  );
}
