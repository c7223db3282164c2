import { duration } from "@/parts/time/format";

/** A guard takes microseconds, which would all be “0 ms”. */
export function precise(ms: number, language: string): string {
  if (ms >= 1 || ms <= 0) return duration(ms, language);
  return new Intl.NumberFormat(language, { style: "unit", unit: "microsecond", unitDisplay: "short", maximumFractionDigits: 0 }).format(ms * 1_000);
}
