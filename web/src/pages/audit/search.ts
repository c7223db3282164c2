// What is looked for in the trail, and which event is open, is in the address.
import { momentsOf, parseRange, type DayRange } from "@/parts/dates/range";
import { compact, text } from "@/parts/search/params";

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

export function parseAuditSearch(raw: Record<string, unknown>): AuditSearch {
  return { actor: text(raw.actor), action: text(raw.action), target: text(raw.target), event: text(raw.event), ...parseRange(raw) };
}

/** The query of `GET /api/audit`. A space stays in the address, where somebody is still typing. */
export function toQuery({ actor, action, target, since, until }: AuditFilters) {
  return compact({ actor: actor?.trim(), action: action?.trim(), target: target?.trim(), ...momentsOf({ since, until }, "local") });
}
