// Which calls the list shows is in its address, so that it can be kept, sent and gone back to.
import { dayOf, momentsOf } from "@/parts/dates/range";
import { among, compact, text } from "@/parts/search/params";

export const STATUSES = ["pending", "approved", "running", "completed", "failed", "rejected", "cancelled"] as const;
export const SPANS = ["1h", "24h", "7d", "30d"] as const;
export const KINDS = ["real", "test"] as const;

export interface CallSearch {
  status?: (typeof STATUSES)[number];
  tool?: string;
  agent?: string;
  run?: string;
  parent?: string;
  /** A span back from now (`24h`), or a day (`2026-03-02`). */
  since?: string;
  /** A day, which counts as a whole. */
  until?: string;
  kind?: (typeof KINDS)[number];
}

const SPAN_MS: Record<(typeof SPANS)[number], number> = { "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000, "30d": 30 * 86_400_000 };

/** Reads what somebody may have typed into the address: what is not understood is left out. */
export function parseSearch(raw: Record<string, unknown>): CallSearch {
  return {
    status: among(STATUSES, raw.status),
    tool: text(raw.tool),
    agent: text(raw.agent),
    run: text(raw.run),
    parent: text(raw.parent),
    since: among(SPANS, raw.since) ?? dayOf(raw.since),
    until: dayOf(raw.until),
    kind: among(KINDS, raw.kind),
  };
}

/** Without what the shell keeps in the same address. */
export function filtersOf({ status, tool, agent, run, parent, since, until, kind }: CallSearch): CallSearch {
  return compact({ status, tool, agent, run, parent, since, until, kind });
}

export const countFilters = (filters: CallSearch): number => Object.keys(filters).length;

/** The query of `GET /api/invocations`. Days are those of whoever looks: from midnight to midnight where they are. */
export function toQuery({ status, tool, agent, run, parent, since, until, kind }: CallSearch, nowMs: number) {
  const span = among(SPANS, since);
  const days = momentsOf({ since: span === undefined ? since : undefined, until }, "local");
  return compact({
    status,
    tool,
    agent,
    run,
    parent,
    since: span === undefined ? days.since : new Date(nowMs - SPAN_MS[span]).toISOString(),
    until: days.until,
    test: kind === undefined ? undefined : kind === "test",
  });
}
