// From what is known of a run to what is shown of it.
import { isOver, type Call, type RunState, type Status, type Usage } from "./state";

/** One turn of the model: what it said, and the calls that it asked for. */
export interface Passage {
  iteration: number;
  text: string;
  calls: Call[];
}

/** The answer in the order in which it came. The response of a run that is over is what counts, also where a turn was said twice. */
export function passagesOf(state: RunState): Passage[] {
  const own = state.calls.filter(({ parentId }) => parentId === undefined);
  const iterations = [...new Set([...state.turns.map(({ iteration }) => iteration), ...own.map(({ iteration }) => iteration)])].sort((a, b) => a - b);
  const passages = iterations.map((iteration) => ({
    iteration,
    text: state.turns.find((turn) => turn.iteration === iteration)?.text ?? "",
    calls: own.filter((call) => call.iteration === iteration),
  }));
  if (state.response === undefined) return passages;
  const last = passages.at(-1);
  if (last && last.calls.length === 0) return [...passages.slice(0, -1), { ...last, text: state.response }];
  return [...passages, { iteration: (last?.iteration ?? 0) + 1, text: state.response, calls: [] }];
}

/** The calls that one call made, in their order. */
export function madeBy(state: RunState, id: string): Call[] {
  return state.calls.filter(({ parentId }) => parentId === id);
}

/** A call, and all that it made, however deep. */
export function withInner(state: RunState, call: Call, depth = 0): Call[] {
  return [call, ...(depth < MAX_DEPTH ? madeBy(state, call.id).flatMap((inner) => withInner(state, inner, depth + 1)) : [])];
}

/** How the run stands for whoever looks at it: one that asks a person waits, whatever else goes on. */
export function standingOf(state: RunState): Status {
  if (isOver(state.status)) return state.status;
  const asks = state.waitsFor === "approval" || state.calls.some(({ status }) => status === "pending");
  return asks ? "pending" : state.status;
}

export interface Totals {
  inputTokens: number;
  outputTokens: number;
  /** Nothing where no price is known. */
  cost: number | undefined;
  model: string | undefined;
}

export function totalsOf(state: RunState): Totals {
  const usages = state.turns.map(({ usage }) => usage).filter((usage): usage is Usage => usage !== undefined);
  const costs = [...usages.map(({ cost }) => cost), ...state.calls.map(({ cost }) => cost)].filter((cost) => cost !== undefined);
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    inputTokens: sum(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(usages.map(({ outputTokens }) => outputTokens)),
    cost: state.cost ?? (costs.length > 0 ? sum(costs) : undefined),
    model: usages.at(-1)?.model,
  };
}

export type TimelineEntry = { kind: "model"; iteration: number; usage: Usage | undefined; isAsking: boolean } | { kind: "call"; call: Call; depth: number };

/** Each question to the model and each call, in the order of the run; what a call made stands under it. */
export function timelineOf(state: RunState, isRunning: boolean): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const add = (call: Call, depth: number) => {
    entries.push({ kind: "call", call, depth });
    if (depth < MAX_DEPTH) madeBy(state, call.id).forEach((inner) => add(inner, depth + 1));
  };
  for (const { iteration, calls } of passagesOf({ ...state, response: undefined })) {
    const usage = state.turns.find((turn) => turn.iteration === iteration)?.usage;
    entries.push({ kind: "model", iteration, usage, isAsking: isRunning && usage === undefined && calls.length === 0 });
    calls.forEach((call) => add(call, 0));
  }
  return entries;
}

const MAX_DEPTH = 8;
const MAX_BRIEF_CHARS = 140;

/** A value in one line. */
export function brief(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "object" && !Array.isArray(value)) {
    const entries = Object.entries(value);
    // An object that holds one thing is that thing.
    if (entries.length === 1) return brief(entries[0]?.[1]);
    return cut(entries.map(([key, member]) => `${key}: ${typeof member === "string" ? member : JSON.stringify(member)}`).join(", "));
  }
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_BRIEF_CHARS ? `${line.slice(0, MAX_BRIEF_CHARS)}…` : line;
}
