// What the report is about is in its address: which days, which agent or tool, and by what it is told.
import { firstOf, momentsOf, parseRange, type DayRange } from "@/parts/dates/range";
import { among, compact, text } from "@/parts/search/params";

export const DIMENSIONS = ["tool", "agent", "model", "day"] as const;
export type UsageDimension = (typeof DIMENSIONS)[number];

/** Without a range: these last days. */
export const FALLBACK_DAYS = 30;

export interface UsageSearch extends DayRange {
  by?: UsageDimension;
  /** An agent's id. */
  agent?: string;
  /** A tool's name. */
  tool?: string;
}

export function parseUsageSearch(raw: Record<string, unknown>): UsageSearch {
  return { ...parseRange(raw), by: among(DIMENSIONS, raw.by), agent: text(raw.agent), tool: text(raw.tool) };
}

export interface UsageQuery {
  since: string;
  until?: string;
  agent?: string;
  tool?: string;
}

/** The query of `GET /api/usage`. Its days are days in UTC. */
export function toQuery({ since, until, agent, tool }: UsageSearch, nowMs: number): UsageQuery {
  const range = momentsOf({ since: since ?? firstOf(FALLBACK_DAYS, nowMs, "utc"), until }, "utc");
  return compact({ since: range.since ?? "", until: range.until, agent, tool });
}
