// One stream of events per tab. It refreshes what the events speak of; lists and drawers follow by themselves.
//
// Nothing is missed: the browser reconnects with Last-Event-ID, and where it gives up (a refused or broken answer) we open the
// stream again after the last event that was seen. What has no events (agents, tools) is refetched after a gap.
import type { QueryClient } from "@tanstack/react-query";

import type { Schemas } from "./client";
import { keys } from "./queries";

export type LiveEvent = Schemas["Event"];
export type LiveEventType = Schemas["EventType"];

const [INVOCATIONS, APPROVALS, RUNS, TASKS] = [keys.invocations[0], keys.approvals[0], keys.runs[0], keys.tasks[0]];
/** Which lists each event makes old. One that the server learns to send does not compile until it stands here. */
const TOUCHES = {
  // A call that waited left the inbox when it was approved.
  "tool.started": [INVOCATIONS, RUNS],
  // A chunk of output changes no list.
  "tool.output_appended": [],
  "tool.needs_approval": [INVOCATIONS, APPROVALS, RUNS],
  "tool.approved": [INVOCATIONS, APPROVALS, RUNS],
  "tool.completed": [INVOCATIONS, RUNS, TASKS],
  // A rejected call and one whose time ran out end as failed or cancelled, and leave the inbox.
  "tool.failed": [INVOCATIONS, APPROVALS, RUNS, TASKS],
  "tool.cancelled": [INVOCATIONS, APPROVALS, RUNS, TASKS],
} satisfies Record<LiveEventType, readonly string[]>;
export const EVENT_TYPES = Object.keys(TOUCHES) as LiveEventType[];
export type LiveState = "connecting" | "open" | "down";

/** A run is a call of this tool. */
const RUN_TOOL = "run_agent";

/** A burst of events becomes one refetch: at most one in this time, and fewer the longer the burst goes on. */
const SETTLE_MS = 250;
const SETTLE_MOST_MS = 2_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 30_000;

type Listener = (event: LiveEvent) => void;

class Live {
  private source: EventSource | undefined;
  private queryClient: QueryClient | undefined;
  private lastId: string | undefined;
  private failures = 0;
  private state: LiveState = "connecting";
  private retry: ReturnType<typeof setTimeout> | undefined;
  private settle: ReturnType<typeof setTimeout> | undefined;
  private settleMs = SETTLE_MS;
  private refreshedAt = -Infinity;
  private readonly stale = new Set<string>();
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Set<() => void>();

  /** Starts the stream; the answer stops it. */
  start(queryClient: QueryClient): () => void {
    this.queryClient = queryClient;
    this.open();
    return () => this.stop();
  }

  /** Every event as it comes, for what shows the events themselves (progress, a timeline). */
  listen = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getState = (): LiveState => this.state;

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  private open(): void {
    const after = this.lastId === undefined ? "" : `?after=${encodeURIComponent(this.lastId)}`;
    const source = new EventSource(`/api/events${after}`);
    this.source = source;
    source.onopen = () => this.opened();
    source.onerror = () => this.broke(source);
    for (const type of EVENT_TYPES) source.addEventListener(type, (message) => this.take(message));
  }

  private opened(): void {
    // The stream brings the calls that were missed; what has no events must be asked for.
    if (this.failures > 0) void this.queryClient?.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
    // A first stream begins with the present: what was answered before it is perhaps older.
    else [INVOCATIONS, APPROVALS, RUNS, TASKS].forEach((name) => this.renew(name));
    this.failures = 0;
    this.become("open");
  }

  private broke(source: EventSource): void {
    this.failures += 1;
    this.become(this.failures > 1 ? "down" : "connecting");
    if (source.readyState !== EventSource.CLOSED) return;
    // Refused, perhaps because the session is over: asking who we are leads to the sign-in.
    void this.queryClient?.invalidateQueries({ queryKey: keys.me });
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), backoffMs(this.failures));
  }

  private take(message: MessageEvent<string>): void {
    this.lastId = message.lastEventId || this.lastId;
    const event = parseEvent(message.data);
    if (!event) return;
    this.listeners.forEach((listener) => listener(event));
    for (const name of touchedBy(event)) this.stale.add(name);
    if (this.stale.size === 0 || this.settle !== undefined) return;
    this.settleMs = nextSettleMs(this.settleMs, Date.now() - this.refreshedAt);
    this.settle = setTimeout(() => this.refresh(), this.settleMs);
  }

  private refresh(): void {
    this.settle = undefined;
    this.refreshedAt = Date.now();
    this.stale.forEach((name) => this.renew(name));
    this.stale.clear();
  }

  private renew(name: string): void {
    const queryClient = this.queryClient;
    if (!queryClient) return;
    // A first answer that is on its way may be from before the event, and is not asked for twice at once: it is asked for again after it.
    const first = queryClient.getQueryCache().findAll({ queryKey: [name], fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined });
    void queryClient.invalidateQueries({ queryKey: [name] });
    for (const { promise, queryKey } of first) void promise?.then(() => queryClient.invalidateQueries({ queryKey, exact: true })).catch(() => undefined);
  }

  private become(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    this.watchers.forEach((watcher) => watcher());
  }

  private stop(): void {
    this.source?.close();
    clearTimeout(this.retry);
    clearTimeout(this.settle);
    this.settle = undefined;
    this.stale.clear();
    this.failures = 0;
    this.lastId = undefined;
    this.become("connecting");
  }
}

export const live = new Live();

export function backoffMs(failures: number): number {
  return Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** Math.max(0, failures - 1));
}

/** How long to gather before the next refetch: twice as long as before while events follow on the heels of the last one. */
export function nextSettleMs(beforeMs: number, sinceRefreshMs: number): number {
  return sinceRefreshMs < beforeMs ? Math.min(SETTLE_MOST_MS, beforeMs * 2) : SETTLE_MS;
}

type Touching = Pick<LiveEvent, "type" | "data" | "session_id" | "invocation_id">;

export function touchedBy(event: Touching): readonly string[] {
  const names = TOUCHES[event.type];
  return isAboutRuns(event) ? names : names.filter((name) => name !== RUNS);
}

/** The runs, and what they wait for. A call outside of runs is none of their business; one that starts inside is told by the run's own page. */
function isAboutRuns({ type, data, session_id, invocation_id }: Touching): boolean {
  if (data.name === RUN_TOOL) return true;
  // A call that nobody's run made has a session of its own, of the same number.
  const isAlone = numberOf(session_id) === numberOf(invocation_id);
  return !isAlone && type !== "tool.started";
}

const numberOf = (id: string): string => id.slice(id.indexOf("_") + 1);

export function parseEvent(text: string): LiveEvent | undefined {
  try {
    const event = JSON.parse(text) as LiveEvent;
    return EVENT_TYPES.includes(event.type) ? event : undefined;
  } catch {
    return undefined;
  }
}
