// A range of days, as it stands in an address: both days belong to it.

export interface DayRange {
  since?: string;
  until?: string;
}

export type Zone = "local" | "utc";

const DAY_MS = 86_400_000;

/** A day that exists, as `2026-11-16`; whatever else stands there is left out. */
export function dayOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const moment = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value) ? value : undefined;
}

/** Two days the wrong way round are meant the right way round. */
export function parseRange(raw: Record<string, unknown>): DayRange {
  const [since, until] = [dayOf(raw.since), dayOf(raw.until)];
  const [first, last] = since !== undefined && until !== undefined && until < since ? [until, since] : [since, until];
  return { since: first, until: last };
}

/** From the first moment of the first day to before the first moment after the last, as the API wants it. */
export function momentsOf({ since, until }: DayRange, zone: Zone): DayRange {
  return {
    ...(since !== undefined && { since: midnight(since, 0, zone) }),
    ...(until !== undefined && { until: midnight(until, 1, zone) }),
  };
}

function midnight(day: string, later: number, zone: Zone): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const at = zone === "utc" ? new Date(Date.UTC(year, month - 1, date + later)) : new Date(year, month - 1, date + later);
  return at.toISOString();
}

/** Today is the first of one day. */
export function firstOf(days: number, nowMs: number, zone: Zone): string {
  const at = new Date(nowMs - (days - 1) * DAY_MS);
  if (zone === "utc") return at.toISOString().slice(0, 10);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The day that it is where the reader is, as a box for dates spells it. */
export const today = (): string => firstOf(1, Date.now(), "local");

/** The last moment of a day, where the reader is. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** More days than any report is about. */
const MOST_DAYS = 366;

/** Each day from the first to the last, in UTC, the oldest first; `toIso` itself is outside. */
export function daysBetween(fromIso: string, toIso: string): string[] {
  const end = Date.parse(toIso);
  const days: string[] = [];
  for (let at = Date.parse(`${fromIso.slice(0, 10)}T00:00:00Z`); at < end && days.length < MOST_DAYS; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
