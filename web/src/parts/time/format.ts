// Numbers and times in the words of the chosen language.
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

const STEPS: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ["second", 1, MINUTE_S],
  ["minute", MINUTE_S, HOUR_S],
  ["hour", HOUR_S, DAY_S],
  ["day", DAY_S, 30 * DAY_S],
  ["month", 30 * DAY_S, 365 * DAY_S],
  ["year", 365 * DAY_S, Infinity],
];

export function relativeTime(at: Date, now: Date, language: string): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const step = STEPS.find(([, , below]) => Math.abs(seconds) < below) ?? STEPS[5];
  const [unit, size] = step ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" }).format(Math.trunc(seconds / size), unit);
}

export function absoluteTime(at: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);
}

/** `850 ms`, `1.25 s`, `3 min 5 s`, `2 h 10 min`: two parts at most. */
export function duration(ms: number, language: string): string {
  const unit = (value: number, name: string, digits = 0) =>
    new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: digits }).format(value);
  if (ms < 1_000) return unit(Math.round(ms), "millisecond");
  const seconds = ms / 1_000;
  if (seconds < MINUTE_S) return unit(seconds, "second", seconds < 10 ? 2 : 1);
  const parts = (big: number, bigName: string, small: number, smallName: string) =>
    small === 0 ? unit(big, bigName) : `${unit(big, bigName)} ${unit(small, smallName)}`;
  const whole = Math.round(seconds);
  if (whole < HOUR_S) return parts(Math.floor(whole / MINUTE_S), "minute", whole % MINUTE_S, "second");
  if (whole < DAY_S) return parts(Math.floor(whole / HOUR_S), "hour", Math.floor((whole % HOUR_S) / MINUTE_S), "minute");
  return parts(Math.floor(whole / DAY_S), "day", Math.floor((whole % DAY_S) / HOUR_S), "hour");
}

/** From one moment to another, where both are known; never less than nothing, whatever the clocks say. */
export function tookMs(from: string | null | undefined, to: string | null | undefined): number | undefined {
  return from && to ? Math.max(0, Date.parse(to) - Date.parse(from)) : undefined;
}

export function bytes(count: number, language: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3));
  return new Intl.NumberFormat(language, { style: "unit", unit: units[power], unitDisplay: "short", maximumFractionDigits: 1 }).format(count / 1_000 ** power);
}

/** Costs are small: as many digits as it takes to see something. */
export function cost(usd: number, language: string): string {
  const digits = usd === 0 || usd >= 1 ? 2 : 6;
  return new Intl.NumberFormat(language, { style: "currency", currency: "USD", maximumFractionDigits: digits }).format(usd);
}
