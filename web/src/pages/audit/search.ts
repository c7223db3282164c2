// What is looked for in the trail, and which event is open, is in the address.
import { momentsOf, parseRange, type DayRange } from "@/parts/dates/range";

export interface AuditFilters extends DayRange {
  actor?: string;
  /** What was done, or how it begins: `key.` */
  action?: string;
  target?: string;
}

export interface AuditSearch extends AuditFilters {
  /** The event whose drawer is open. */
  event?: string;
}

function text(value: unknown): string | undefined {
  const given = typeof value === "number" ? String(value) : value;
  return typeof given === "string" && given.trim() !== "" ? given.trim().slice(0, 200) : undefined;
}

export function compact<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;
}

export function parseAuditSearch(raw: Record<string, unknown>): AuditSearch {
  return compact({ actor: text(raw.actor), action: text(raw.action), target: text(raw.target), event: text(raw.event), ...parseRange(raw) });
}

/** The query of `GET /api/audit`. */
export function toQuery({ actor, action, target, since, until }: AuditFilters) {
  return compact({ actor, action, target, ...momentsOf({ since, until }, "local") });
}
