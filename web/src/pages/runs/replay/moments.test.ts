import { expect, test } from "vitest";

import type { Call, Run, Step } from "../types";
import { comparable, firstDifference } from "./differences";
import { momentOfStep, momentsOf, type TurnMoment } from "./moments";

const wish = (name: string, json: unknown = {}) => ({ id: `w-${name}`, name, arguments: { json } });
const step = (seq: number, kind: Step["kind"], body: unknown): Step => ({ id: `stp_${String(seq)}`, seq, kind, title: kind, body: body as Record<string, unknown>, created_at: "2026-03-02T09:00:00Z" });
const turn = (seq: number, text: string | null, ...tool_calls: unknown[]) =>
  step(seq, "turn", { turn: { text, tool_calls, stop: "end", model: "m" }, provider: "p", asked_at: "", latency_ms: 1 });
const call = (seq: number, stepSeq: number, tool_name: string, output: unknown = {}) => ({ id: `inv_${String(seq)}`, seq, agent_run_step_id: `stp_${String(stepSeq)}`, tool_name, tool_key: `${tool_name}@1.0.0`, input: {}, output, status: "completed" }) as unknown as Call;
const run = (status: string, response = "done") => ({ id: "run_1", status, response }) as unknown as Run;
const begin = step(0, "begin", { handle: "clerk", message: "hello", tools: [] });

test("a run is what it was given, its turns with their calls, and its end", () => {
  const steps = [begin, turn(1, null, wish("a"), wish("b")), turn(2, "done")];
  const moments = momentsOf(run("completed"), steps, [call(1, 1, "b"), call(0, 1, "a")]);
  expect(moments.map(({ kind }) => kind)).toEqual(["begin", "turn", "turn", "end"]);
  const first = moments[1] as TurnMoment;
  expect(first.asked.map((one) => [one.wish?.name, one.call?.tool_name])).toEqual([["a", "a"], ["b", "b"]]);
  expect(momentsOf(run("running"), steps, []).at(-1)?.kind).toBe("turn");
});

test("a search belongs to the turn that asked, and a call through it to its tool", () => {
  const steps = [begin, turn(1, null, wish("search_tools", { query: "x" }), wish("call_tool", { name: "a" })), step(2, "search", { query: "x", found: [] }), turn(3, "done")];
  const [, first] = momentsOf(run("completed"), steps, [call(0, 1, "a")]);
  expect((first as TurnMoment).asked.map((one) => [one.search?.query, one.call?.tool_name])).toEqual([["x", undefined], [undefined, "a"]]);
  expect(steps.map((one) => momentOfStep(steps, one))).toEqual([0, 1, 1, 2]);
  expect(momentOfStep(steps, undefined)).toBe(3);
});

test("a call under an alias and a wish that was not carried out find their places", () => {
  const steps = [begin, turn(1, null, wish("old_name"), wish("refused"))];
  const [, first] = momentsOf(run("failed"), steps, [call(0, 1, "new_name")]);
  expect((first as TurnMoment).asked.map((one) => one.call?.tool_name)).toEqual(["new_name", undefined]);
});

test("two runs are compared by what was asked and answered, not by ids and times", () => {
  const one = momentsOf(run("completed"), [begin, turn(1, null, wish("a")), turn(2, "done")], [call(0, 1, "a", { n: 1 })]);
  const same = momentsOf(run("completed"), [begin, turn(1, null, wish("a")), turn(2, "done")], [{ ...call(7, 1, "a", { n: 1 }), id: "inv_other" }]);
  const other = momentsOf(run("completed"), [begin, turn(1, null, wish("a")), turn(2, "done")], [call(0, 1, "a", { n: 2 })]);
  expect(firstDifference(one, same)).toBeUndefined();
  expect(firstDifference(one, other)).toBe(1);
  expect(firstDifference(one, one.slice(0, 3))).toBe(3);
  expect(comparable(one[3])).toEqual({ status: "completed", response: "done", error: undefined });
});
