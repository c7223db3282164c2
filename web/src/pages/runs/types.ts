// What the API calls objects without saying what is in them: the steps of a run, as `docs/guides/runs.md` and the server have them.
import type { Schemas } from "@/api/client";
import type { Invocation } from "@/api/queries";

export type Run = Schemas["RunResponse"];
export type Step = Schemas["StepResponse"];
export type Span = Schemas["SpanResponse"];
export type Trace = Schemas["TraceResponse"];
export type RunEvent = Schemas["RunEventResponse"];
export type Call = Invocation;

export type Arguments = { json: unknown } | { malformed: string };

export interface Wish {
  id: string;
  name: string;
  arguments: Arguments;
}

export interface Message {
  role: "user" | "assistant" | "tool";
  content?: string;
  text?: string | null;
  tool_calls?: Wish[];
  name?: string;
  is_error?: boolean;
}

export interface GivenTool {
  name: string;
  version: string;
  description?: string;
}

export interface Begin {
  handle: string;
  model?: string | null;
  parameters?: Record<string, unknown>;
  system?: string | null;
  history?: Message[];
  message: string;
  policy_version?: string | null;
  tools: GivenTool[];
  by_search?: boolean;
}

export interface TurnUsage {
  input_tokens?: number;
  cached_input_tokens?: number;
  output_tokens?: number;
  reasoning_tokens?: number;
}

export interface KeptTurn {
  turn: { text?: string | null; tool_calls?: Wish[]; stop: string | { other: string }; usage?: TurnUsage; model: string };
  cost?: number | null;
  provider: string;
  asked_at: string;
  latency_ms: number;
}

export interface KeptSearch {
  query: string;
  found: GivenTool[];
}

export function isOver(run: Pick<Run, "status">): boolean {
  return run.status === "completed" || run.status === "failed" || run.status === "cancelled" || run.status === "rejected";
}

/** From when it began, or came in, until it ended; or until now. */
export function lastedMs(run: Pick<Run, "created_at" | "started_at" | "completed_at">, nowMs: number): number {
  const end = run.completed_at ? Date.parse(run.completed_at) : nowMs;
  return Math.max(0, end - Date.parse(run.started_at ?? run.created_at));
}
