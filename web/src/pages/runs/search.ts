// What the list of runs and the page of a run show is in their addresses.
import { parseRange, type DayRange } from "@/parts/dates/range";
import { among, text } from "@/parts/search/params";

export const STATUSES = ["running", "pending", "completed", "failed", "cancelled", "rejected"] as const;
export const TABS = ["overview", "replay", "trace", "events"] as const;
export const SHOWN_SPANS = ["all", "work", "errors"] as const;

export type Tab = (typeof TABS)[number];
export type ShownSpans = (typeof SHOWN_SPANS)[number];

export interface RunsSearch extends DayRange {
  /** The agent's handle. */
  agent?: string;
  status?: (typeof STATUSES)[number];
}

export interface RunSearch {
  tab?: Tab;
  /** The moment of the replay, from 0. */
  step?: number;
  /** The run that the replay is held against. */
  against?: string;
  /** The chosen span of the trace; or a call, which means its span. */
  span?: string;
  show?: ShownSpans;
}

export function parseRunsSearch(raw: Record<string, unknown>): RunsSearch {
  return { agent: text(raw.agent), status: among(STATUSES, raw.status), ...parseRange(raw) };
}

export function parseRunSearch(raw: Record<string, unknown>): RunSearch {
  const step = Number(raw.step);
  return {
    tab: among(TABS, raw.tab),
    step: raw.step !== undefined && Number.isInteger(step) && step >= 0 ? step : undefined,
    against: text(raw.against),
    span: text(raw.span),
    show: among(SHOWN_SPANS, raw.show),
  };
}
