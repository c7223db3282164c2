// What is known of a run, folded from its events. A reload folds the same events, so every browser shows the same.
import type { Schemas } from "@/api/client";

export type RunEvent = Schemas["RunEventResponse"];
export type Status = Schemas["Status"];
/** On the wire the codes are `POLICY_DENIED` and the like, whatever the generated type calls them. */
export type ToolError = Omit<Schemas["ToolError"], "code"> & { code: string };

export interface Call {
  id: string;
  /** The call that made it, where the run did not make it itself. */
  parentId: string | undefined;
  name: string;
  /** The turn of the model that asked for it: calls of one turn run side by side. */
  iteration: number;
  input: unknown;
  status: Status;
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  output?: unknown;
  error?: ToolError;
  isCached: boolean;
  isTruncated: boolean;
  cost?: number;
  /** The last thing that the tool said while it ran. */
  line?: string;
}

export interface Usage {
  model: string;
  inputTokens: number;
  outputTokens: number;
  cost?: number;
  latencyMs: number;
}

export interface ModelTurn {
  iteration: number;
  text: string;
  /** When the last piece of the text came. */
  textAt?: string;
  usage?: Usage;
}

export interface RunState {
  /** The place in the log up to which the events are known. */
  lastId: number;
  status: Status;
  startedAt?: string;
  finishedAt?: string;
  turns: ModelTurn[];
  calls: Call[];
  /** The run itself waits for somebody to agree, or for these calls. */
  waitsFor: "nothing" | "calls" | "approval";
  response?: string;
  error?: ToolError;
  cost?: number;
}

export const NOTHING: RunState = { lastId: 0, status: "running", turns: [], calls: [], waitsFor: "nothing" };

const OVER: readonly Status[] = ["completed", "failed", "cancelled", "rejected"];

export function isOver(status: Status | null | undefined): boolean {
  return status !== undefined && status !== null && OVER.includes(status);
}

export function fold(state: RunState, event: RunEvent): RunState {
  // A stream that goes on where it broke may begin with what was seen.
  if (event.id <= state.lastId) return state;
  const next = { ...state, lastId: event.id };
  const { data, created_at: at } = event;
  switch (event.type) {
    case "run.started":
      return { ...next, startedAt: at, status: "running", waitsFor: "nothing" };
    case "text.delta":
      return { ...next, status: "running", turns: said(state.turns, numberOf(data.iteration) ?? 1, textOf(data.text), at) };
    case "usage":
      return { ...next, turns: withTurn(state.turns, numberOf(data.iteration) ?? 1, (turn) => ({ ...turn, usage: usageOf(data) })) };
    case "run.waiting":
      return data.reason === "approval" ? { ...next, status: "pending", waitsFor: "approval" } : { ...next, waitsFor: "calls" };
    case "run.finished":
      return finished(next, data, at);
    default:
      return event.type.startsWith("tool.") ? { ...next, waitsFor: "nothing", calls: withCall(state, event) } : next;
  }
}

function finished(state: RunState, data: Record<string, unknown>, at: string): RunState {
  const response = typeof data.response === "string" ? data.response : undefined;
  return {
    ...state,
    status: data.status as Status,
    finishedAt: at,
    waitsFor: "nothing",
    response,
    error: (data.error as ToolError | null | undefined) ?? undefined,
    cost: numberOf(data.cost),
    // What had not ended when the run did was ended with it.
    calls: state.calls.map((call) => (isOver(call.status) ? call : { ...call, status: "cancelled" })),
  };
}

function withTurn(turns: ModelTurn[], iteration: number, change: (turn: ModelTurn) => ModelTurn): ModelTurn[] {
  if (turns.some((turn) => turn.iteration === iteration)) return turns.map((turn) => (turn.iteration === iteration ? change(turn) : turn));
  return [...turns, change({ iteration, text: "" })].sort((a, b) => a.iteration - b.iteration);
}

/** A piece that begins the text again, after a silence or at some length, is a turn that was asked for again: its text replaces the old. */
const SILENCE_MS = 1_000;
const CERTAIN_CHARS = 16;

function said(turns: ModelTurn[], iteration: number, piece: string, at: string): ModelTurn[] {
  return withTurn(turns, iteration, (turn) => {
    const isLate = turn.textAt !== undefined && Date.parse(at) - Date.parse(turn.textAt) >= SILENCE_MS;
    const shared = Math.min(piece.length, turn.text.length);
    const isSame = shared > 0 && turn.text.slice(0, shared) === piece.slice(0, shared);
    const isAgain = turn.usage === undefined && isSame && (isLate || shared >= CERTAIN_CHARS);
    return { ...turn, text: isAgain ? piece : turn.text + piece, textAt: at };
  });
}

function usageOf(data: Record<string, unknown>): Usage {
  const usage = (data.usage ?? {}) as Record<string, unknown>;
  return {
    model: textOf(data.model),
    inputTokens: numberOf(usage.input_tokens) ?? 0,
    outputTokens: numberOf(usage.output_tokens) ?? 0,
    cost: numberOf(data.cost),
    latencyMs: numberOf(data.latency_ms) ?? 0,
  };
}

const STATUS_AFTER: Record<string, Status> = { "tool.started": "running", "tool.needs_approval": "pending", "tool.approved": "approved" };

function withCall(state: RunState, { type, data, run_id, created_at: at }: RunEvent): Call[] {
  const id = textOf(data.invocation_id);
  const known = state.calls.find((call) => call.id === id);
  const call = known ?? newCall(state, data, run_id, at);
  const changed: Call = { ...call, status: STATUS_AFTER[type] ?? call.status };
  if (data.input !== undefined) changed.input = data.input;
  if (type === "tool.started") changed.startedAt = at;
  if (type === "tool.output") changed.line = lineOf(data.chunk);
  if (type === "tool.completed" || type === "tool.failed") Object.assign(changed, ended(data, at));
  return known ? state.calls.map((one) => (one.id === id ? changed : one)) : [...state.calls, changed];
}

function newCall(state: RunState, data: Record<string, unknown>, runId: string, at: string): Call {
  const parent = textOf(data.parent_id);
  return {
    id: textOf(data.invocation_id),
    parentId: parent === "" || uuidOf(parent) === uuidOf(runId) ? undefined : parent,
    name: textOf(data.name),
    iteration: numberOf(data.iteration) ?? state.turns.at(-1)?.iteration ?? 1,
    input: data.input,
    status: "running",
    startedAt: at,
    isCached: false,
    isTruncated: false,
  };
}

function ended(data: Record<string, unknown>, at: string): Partial<Call> {
  return {
    status: data.status as Status,
    endedAt: at,
    output: data.output ?? undefined,
    error: (data.error as ToolError | null | undefined) ?? undefined,
    isCached: data.cached === true,
    isTruncated: data.truncated === true,
    durationMs: numberOf(data.duration_ms),
    cost: numberOf(data.cost),
    line: undefined,
  };
}

const MAX_LINE_CHARS = 200;

function lineOf(chunk: unknown): string {
  const words = typeof chunk === "object" && chunk !== null ? ((chunk as Record<string, unknown>).message ?? (chunk as Record<string, unknown>).text) : chunk;
  return (typeof words === "string" ? words : JSON.stringify(chunk)).slice(0, MAX_LINE_CHARS);
}

/** A run and its call have the same UUID behind different prefixes. */
export function uuidOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
