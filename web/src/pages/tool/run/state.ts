import type { Schemas } from "@/api/client";
import type { Problem } from "@/api/problem";
import type { Invocation } from "@/api/queries";
import type { StreamEvent } from "@/api/stream";
import { tookMs } from "@/parts/time/format";

export type Envelope = Schemas["Envelope"];
export type ToolError = Schemas["ToolError"];

/** What there is to say of a call that is over, however it was learnt. */
export interface Result {
  invocationId: string;
  input: unknown;
  output: unknown;
  error: ToolError | undefined;
  isCancelled: boolean;
  isRejected: boolean;
  isCached: boolean;
  isTruncated: boolean;
  attachments: Schemas["Attachment"][];
  warnings: string[];
  durationMs: number | undefined;
  cost: number | undefined;
}

export interface Progress {
  done: number;
  total: number | undefined;
  message: string | undefined;
}

/** One run, from the click to the answer. */
export type Run =
  | { state: "idle" }
  | { state: "running"; input: unknown; startedAt: number; invocationId?: string; lines: string[]; isText?: boolean; progress?: Progress; isCancelling: boolean }
  | { state: "waiting"; input: unknown; invocation: Invocation }
  | { state: "done"; result: Result }
  | { state: "refused"; input: unknown; problem: Problem };

export type Action =
  | { type: "start"; input: unknown; at: number }
  | { type: "event"; event: StreamEvent }
  | { type: "cancelling" }
  | { type: "followed"; invocation: Invocation }
  | { type: "refused"; problem: Problem };

/** A tool may stream thousands of lines; the last ones are what one watches. */
export const MAX_LINES = 500;
const MAX_LINE_CHARS = 2_000;

export function reduce(run: Run, action: Action): Run {
  switch (action.type) {
    case "start":
      return { state: "running", input: action.input, startedAt: action.at, lines: [], isCancelling: false };
    case "cancelling":
      return run.state === "running" ? { ...run, isCancelling: true } : run;
    case "refused":
      return { state: "refused", input: inputOf(run), problem: action.problem };
    case "followed":
      return run.state === "waiting" && run.invocation.id === action.invocation.id ? follow(run, action.invocation) : run;
    case "event":
      return run.state === "running" ? take(run, action.event) : run;
  }
}

function inputOf(run: Run): unknown {
  return "input" in run ? run.input : run.state === "done" ? run.result.input : undefined;
}

function take(run: Extract<Run, { state: "running" }>, { name, data }: StreamEvent): Run {
  switch (name) {
    case "started":
      return { ...run, invocationId: (data as { invocation_id: string }).invocation_id };
    case "output": {
      const progress = progressOf(data);
      const line = progress ? progress.message : lineOf(data);
      if (line === undefined) return { ...run, progress: progress ?? run.progress };
      const isText = pieceOf(data) !== undefined;
      return { ...run, lines: appended(run.lines, line, isText && run.isText === true), isText, progress: progress ?? run.progress };
    }
    case "needs_approval":
      return { state: "waiting", input: run.input, invocation: data as Invocation };
    case "finished":
      return { state: "done", result: resultOfEnvelope(data as Envelope, run.isCancelling) };
    default:
      return run;
  }
}

/** Pieces of a text continue the line before; anything else is a line of its own. */
function appended(lines: string[], line: string, isPiece: boolean): string[] {
  const last = lines.at(-1);
  const goesOn = isPiece && last !== undefined && !last.endsWith("\n") && last.length < MAX_LINE_CHARS;
  if (goesOn) return [...lines.slice(0, -1), last + line];
  // The end of a line is said once.
  const before = last?.endsWith("\n") ? [...lines.slice(0, -1), last.slice(0, -1)] : lines;
  return [...before, line].slice(-MAX_LINES);
}

/** What a model says and what a script prints is one text, and comes in pieces. */
function pieceOf(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (typeof data !== "object" || data === null || Object.keys(data).length !== 1) return undefined;
  const { text, stdout } = data as Record<string, unknown>;
  return [text, stdout].find((piece) => typeof piece === "string");
}

export function progressOf(data: unknown): Progress | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { type, progress, total, message } = data as Record<string, unknown>;
  if (type !== "progress" || typeof progress !== "number") return undefined;
  return {
    done: progress,
    total: typeof total === "number" && total > 0 ? total : undefined,
    message: typeof message === "string" ? message : undefined,
  };
}

export function lineOf(data: unknown): string {
  const piece = pieceOf(data);
  if (piece !== undefined) return piece.slice(0, MAX_LINE_CHARS);
  if (typeof data === "object" && data !== null) {
    const { message, text } = data as Record<string, unknown>;
    for (const words of [message, text]) if (typeof words === "string") return words.slice(0, MAX_LINE_CHARS);
  }
  return JSON.stringify(data).slice(0, MAX_LINE_CHARS);
}

function follow(run: Extract<Run, { state: "waiting" }>, invocation: Invocation): Run {
  const isOver = ["completed", "failed", "cancelled", "rejected"].includes(invocation.status);
  return isOver ? { state: "done", result: resultOfInvocation(invocation) } : { ...run, invocation };
}

function resultOfEnvelope(envelope: Envelope, wasCancelled: boolean): Result {
  return {
    invocationId: envelope.invocation_id,
    input: envelope.input,
    output: envelope.output ?? undefined,
    error: envelope.error ?? undefined,
    isCancelled: wasCancelled && envelope.error !== undefined && envelope.error !== null,
    isRejected: false,
    isCached: envelope.cached ?? false,
    isTruncated: envelope.truncated ?? false,
    attachments: envelope.attachments ?? [],
    warnings: envelope.warnings ?? [],
    durationMs: tookMs(envelope.t_start, envelope.t_end),
    cost: undefined,
  };
}

function resultOfInvocation(invocation: Invocation): Result {
  return {
    invocationId: invocation.id,
    input: invocation.approved_input ?? invocation.input,
    output: invocation.output ?? undefined,
    error: invocation.error ?? undefined,
    isCancelled: invocation.status === "cancelled",
    isRejected: invocation.status === "rejected",
    isCached: invocation.cached,
    isTruncated: invocation.truncated,
    attachments: invocation.attachments,
    warnings: invocation.warnings,
    durationMs: tookMs(invocation.started_at, invocation.completed_at),
    cost: invocation.cost_estimate ?? undefined,
  };
}
