// A run as moments that one can step through: what it was given, each turn of its model with what came of it, and how it ended.
import { isOver, type Begin, type Call, type KeptSearch, type KeptTurn, type Run, type Step, type Wish } from "../types";

/** One thing that a model asked for, and what came of it. */
export interface Asked {
  wish: Wish | undefined;
  call: Call | undefined;
  search: KeptSearch | undefined;
}

export interface BeginMoment {
  kind: "begin";
  step: Step;
  begin: Begin;
}

export interface TurnMoment {
  kind: "turn";
  step: Step;
  /** From 1. */
  number: number;
  kept: KeptTurn;
  asked: Asked[];
}

export interface EndMoment {
  kind: "end";
  run: Run;
}

export type Moment = BeginMoment | TurnMoment | EndMoment;

export function momentsOf(run: Run, steps: Step[], calls: Call[]): Moment[] {
  const moments: Moment[] = [];
  let turns = 0;
  steps.forEach((step, index) => {
    if (step.kind === "begin") moments.push({ kind: "begin", step, begin: step.body as unknown as Begin });
    if (step.kind !== "turn") return;
    turns += 1;
    const kept = step.body as unknown as KeptTurn;
    const until = steps.findIndex(({ kind }, at) => at > index && kind === "turn");
    const searches = steps.slice(index + 1, until < 0 ? undefined : until).filter(({ kind }) => kind === "search");
    const own = calls.filter(({ agent_run_step_id }) => agent_run_step_id === step.id);
    moments.push({ kind: "turn", step, number: turns, kept, asked: matched(kept.turn.tool_calls ?? [], own, searches) });
  });
  if (isOver(run)) moments.push({ kind: "end", run });
  return moments;
}

/** Where a step is shown; a search with the turn that asked for it. No step: the end. */
export function momentOfStep(steps: Step[], step: Step | undefined): number {
  const shown = steps.filter(({ kind, seq }) => kind !== "search" && (step === undefined || seq <= step.seq));
  return step === undefined ? shown.length : Math.max(0, shown.length - 1);
}

const SEARCH = "search_tools";
const THROUGH = "call_tool";

/** The tool that a wish means: where tools are searched, they are called through another word. */
export function meant(wish: Wish): string {
  const given = "json" in wish.arguments ? wish.arguments.json : undefined;
  if (wish.name !== THROUGH || typeof given !== "object" || given === null) return wish.name;
  const { name } = given as { name?: unknown };
  return typeof name === "string" ? name : wish.name;
}

/**
 * Calls keep the order of the wishes, but not every wish becomes one: a search does not, nor does what failed too often. The name tells them
 * apart; under an alias the call has another name, so what is left over is matched in its order.
 */
function matched(wishes: Wish[], calls: Call[], searches: Step[]): Asked[] {
  const left = [...calls].sort((a, b) => a.seq - b.seq);
  const found = [...searches];
  const asked: Asked[] = wishes.map((wish) => {
    const name = meant(wish);
    if (name === SEARCH && found.length > 0) return { wish, call: undefined, search: found.shift()?.body as unknown as KeptSearch };
    const at = left.findIndex(({ tool_name }) => tool_name === name);
    return { wish, call: at < 0 ? undefined : left.splice(at, 1)[0], search: undefined };
  });
  for (const one of asked) if (one.call === undefined && one.search === undefined && one.wish?.name !== SEARCH) one.call = left.shift();
  return [...asked, ...left.map((call) => ({ wish: undefined, call, search: undefined }))];
}
