// The spans of a trace as the rows of a tree, each with its place in time.
import type { ShownSpans } from "../search";
import type { Span } from "../types";

export type SpanRole = "run" | "model" | "call" | "tool" | "guard" | "approval" | "other";

export interface SpanRow {
  span: Span;
  role: SpanRole;
  depth: number;
  /** Milliseconds since the trace began. */
  fromMs: number;
  toMs: number;
  /** How many spans are below it. */
  below: number;
  isOpen: boolean;
  position: number;
  siblings: number;
  parent: string | undefined;
}

const BEGINNINGS: [string, SpanRole][] = [
  ["invoke_agent", "run"],
  ["chat", "model"],
  ["execute_tool", "call"],
  ["tool", "tool"],
  ["guard", "guard"],
  ["await approval", "approval"],
];

export function roleOf({ name }: Pick<Span, "name">): SpanRole {
  return BEGINNINGS.find(([beginning]) => name === beginning || name.startsWith(`${beginning} `))?.[1] ?? "other";
}

/** What it is about, without the word that says what it is. */
export function subjectOf({ name }: Pick<Span, "name">): string {
  const found = BEGINNINGS.find(([beginning]) => name.startsWith(`${beginning} `));
  return found ? name.slice(found[0].length + 1) : name;
}

/** A trace has the length of what is in it; what goes on lasts until now. */
export function extentOf(spans: Span[], nowMs: number): { startMs: number; lengthMs: number } {
  if (spans.length === 0) return { startMs: 0, lengthMs: 1 };
  const startMs = Math.min(...spans.map((span) => Date.parse(span.started_at)));
  const endMs = Math.max(...spans.map((span) => endOf(span, nowMs)));
  return { startMs, lengthMs: Math.max(0.001, endMs - startMs) };
}

/** The moments of the API have microseconds, of which a date keeps milliseconds: the duration says the rest. */
function endOf(span: Span, nowMs: number): number {
  const start = Date.parse(span.started_at);
  if (span.duration_ms !== undefined && span.duration_ms !== null) return start + span.duration_ms;
  return Math.max(start, nowMs);
}

/** Whether a span is of interest by itself; its ancestors are shown with it. */
function isWanted(span: Span, show: ShownSpans): boolean {
  if (show === "errors") return span.status === "error";
  return show === "all" || roleOf(span) !== "guard";
}

export function rowsOf(spans: Span[], closed: ReadonlySet<string>, show: ShownSpans, nowMs: number): SpanRow[] {
  const { startMs } = extentOf(spans, nowMs);
  const known = new Set(spans.map(({ span_id }) => span_id));
  const children = new Map<string | undefined, Span[]>();
  for (const span of spans) {
    const parent = span.parent_span_id && known.has(span.parent_span_id) && span.parent_span_id !== span.span_id ? span.parent_span_id : undefined;
    children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const wanted = new Map<string, number>();
  const count = (span: Span): number => {
    const below = (children.get(span.span_id) ?? []).reduce((sum, child) => sum + count(child), 0);
    const shown = below > 0 || isWanted(span, show);
    if (shown) wanted.set(span.span_id, below);
    return shown ? below + 1 : 0;
  };
  for (const root of children.get(undefined) ?? []) count(root);
  const rows: SpanRow[] = [];
  const visit = (parent: string | undefined, depth: number) => {
    const shown = (children.get(parent) ?? []).filter(({ span_id }) => wanted.has(span_id));
    shown.forEach((span, index) => {
      const below = wanted.get(span.span_id) ?? 0;
      const isOpen = below > 0 && !closed.has(span.span_id);
      rows.push({ span, role: roleOf(span), depth, fromMs: Date.parse(span.started_at) - startMs, toMs: endOf(span, nowMs) - startMs, below, isOpen, position: index + 1, siblings: shown.length, parent });
      if (isOpen) visit(span.span_id, depth + 1);
    });
  };
  visit(undefined, 0);
  return rows;
}

/** Where the time went: what each kind of span took, in all. Spans of one kind that ran at once count each. */
export function timeByRole(spans: Span[], nowMs: number): { role: "model" | "tool" | "approval" | "guard"; ms: number; count: number }[] {
  return (["model", "tool", "approval", "guard"] as const)
    .map((role) => {
      const own = spans.filter((span) => roleOf(span) === role);
      return { role, ms: own.reduce((sum, span) => sum + endOf(span, nowMs) - Date.parse(span.started_at), 0), count: own.length };
    })
    .filter(({ count }) => count > 0);
}

/** What an address names: a span by its id, or the span of a call, which a page that knows only the call links to. */
export function namedIn(rows: SpanRow[], name: string | undefined): SpanRow | undefined {
  if (name === undefined) return undefined;
  const own = rows.filter(({ span }) => span.invocation_id === name);
  return rows.find(({ span }) => span.span_id === name) ?? own.find(({ role }) => role === "call" || role === "run") ?? own[0];
}
