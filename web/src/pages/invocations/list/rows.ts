// The rows of the list, and how news gets into them. Ids grow with time, so their order is the order of the list.
import type { Invocation } from "@/api/queries";
import type { KeysetPage } from "@/api/pages";
import { tookMs } from "@/parts/time/format";

export interface CallRow {
  id: string;
  tool: string;
  version: string;
  status: Invocation["status"];
  egress: Invocation["egress_class"];
  approval: Invocation["approval_status"];
  agent: string | undefined;
  caller: string;
  run: string | undefined;
  cost: number | undefined;
  isCached: boolean;
  isTest: boolean;
  /** The beginning of the arguments: what tells one call from the next. */
  input: string;
  error: string | undefined;
  createdAt: string;
  durationMs: number | undefined;
}

const INPUT_CHARS = 160;

/** What a row shows, and no more: outputs can be megabytes, and a list holds thousands of rows. */
export function rowOf(call: Invocation): CallRow {
  return {
    id: call.id,
    tool: call.tool_name,
    version: call.tool_version,
    status: call.status,
    egress: call.egress_class,
    approval: call.approval_status,
    agent: call.agent_id ?? undefined,
    caller: call.caller,
    run: call.run_id ?? undefined,
    cost: call.cost_estimate ?? undefined,
    isCached: call.cached,
    isTest: call.is_test,
    input: brief(call.input),
    error: call.error?.code,
    createdAt: call.created_at,
    durationMs: tookMs(call.started_at, call.completed_at),
  };
}

function brief(input: unknown): string {
  // A brief list leaves out what is long.
  if (input === null || input === undefined) return "{…}";
  const text = JSON.stringify(input);
  return text.length > INPUT_CHARS ? `${text.slice(0, INPUT_CHARS)}…` : text;
}

export type Pages = KeysetPage<CallRow>[];

/** Puts what is newer on top and what changed in its place; `gone` no longer belongs here. Nothing twice, the newest first. */
export function withNews(pages: Pages, news: CallRow[], gone: ReadonlySet<string>): Pages {
  const changed = new Map(news.map((row) => [row.id, row]));
  const known = new Set<string>();
  const kept = pages.map((page) => ({
    ...page,
    items: page.items.flatMap((row) => {
      if (known.has(row.id) || gone.has(row.id)) return [];
      known.add(row.id);
      return [changed.get(row.id) ?? row];
    }),
  }));
  const [first, ...rest] = kept;
  if (!first) return kept;
  const fresh = news.filter(({ id }) => !known.has(id) && !gone.has(id));
  if (fresh.length === 0) return kept;
  const items = [...fresh, ...first.items].sort((one, other) => (one.id < other.id ? 1 : one.id > other.id ? -1 : 0));
  return [{ ...first, items }, ...rest];
}

/** The newest call that the list has. */
export function newestOf(pages: Pages): string | undefined {
  return pages.flatMap(({ items }) => items[0]?.id ?? [])[0];
}
