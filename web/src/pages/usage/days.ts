// A chart of days has a place for every day, also for those on which nothing happened.
import type { Schemas } from "@/api/client";
import { daysBetween } from "@/parts/dates/range";

export type UsageItem = Schemas["UsageItem"];

export function byDay(items: UsageItem[], fromIso: string, toIso: string): { day: string; item: UsageItem | undefined }[] {
  const known = new Map(items.map((item) => [item.day ?? "", item]));
  return daysBetween(fromIso, toIso).map((day) => ({ day, item: known.get(day) }));
}

/** Sums of floating numbers have tails that nobody wants to read. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** What is missing comes last, whichever way it is sorted. */
export function sorted<Row>(rows: readonly Row[], value: (row: Row) => number | string | null | undefined, descending: boolean): Row[] {
  const way = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === undefined || one === null) return other === undefined || other === null ? 0 : 1;
    if (other === undefined || other === null) return -1;
    return typeof one === "string" || typeof other === "string" ? way * String(one).localeCompare(String(other)) : way * (one - other);
  });
}
