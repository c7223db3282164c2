// Which calls the list shows is in its address, so that it can be kept, sent and gone back to.
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

const LONGEST = 200;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SPAN_MS: Record<(typeof SPANS)[number], number> = { "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000, "30d": 30 * 86_400_000 };

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, LONGEST) : undefined;
}

function among<const T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}

function day(value: unknown): string | undefined {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** Reads what somebody may have typed into the address: what is not understood is left out. */
export function parseSearch(raw: Record<string, unknown>): CallSearch {
  return compact({
    status: among(STATUSES, raw.status),
    tool: text(raw.tool),
    agent: text(raw.agent),
    run: text(raw.run),
    parent: text(raw.parent),
    since: among(SPANS, raw.since) ?? day(raw.since),
    until: day(raw.until),
    kind: among(KINDS, raw.kind),
  });
}

export function compact<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;
}

/** Without what the shell keeps in the same address. */
export function filtersOf({ status, tool, agent, run, parent, since, until, kind }: CallSearch): CallSearch {
  return compact({ status, tool, agent, run, parent, since, until, kind });
}

export const countFilters = (filters: CallSearch): number => Object.keys(filters).length;

/** The query of `GET /api/invocations`. Days are those of whoever looks: from midnight to midnight where they are. */
export function toQuery({ status, tool, agent, run, parent, since, until, kind }: CallSearch, nowMs: number) {
  return compact({
    status,
    tool,
    agent,
    run,
    parent,
    since: since === undefined ? undefined : new Date(sinceMs(since, nowMs)).toISOString(),
    until: until === undefined ? undefined : midnight(until, 1).toISOString(),
    test: kind === undefined ? undefined : kind === "test",
  });
}

function sinceMs(since: string, nowMs: number): number {
  const span = among(SPANS, since);
  return span === undefined ? midnight(since, 0).getTime() : nowMs - SPAN_MS[span];
}

function midnight(date: string, daysLater: number): Date {
  const [year = 1970, month = 1, dayOfMonth = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, dayOfMonth + daysLater);
}
