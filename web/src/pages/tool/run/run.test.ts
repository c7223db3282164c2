import { describe, expect, it } from "vitest";

import { lineOf, MAX_LINES, progressOf, reduce, type Run } from "./state";

const started = (): Run => reduce({ state: "idle" }, { type: "start", input: { a: 1 }, at: 0 });
const event = (run: Run, name: string, data: unknown) => reduce(run, { type: "event", event: { name, data } });
const envelope = { call_id: "c", invocation_id: "inv_1", session_id: "s", name: "t", version: "1.0.0", input: { a: 1 }, t_start: "2026-01-01T00:00:00Z", t_end: "2026-01-01T00:00:01.5Z" };

describe("a run", () => {
  it("starts, streams, ends with its receipt", () => {
    let run = event(started(), "started", { invocation_id: "inv_1" });
    run = event(run, "output", { waited_ms: 10 });
    run = event(run, "output", "half a ");
    run = event(run, "output", "line");
    run = event(run, "output", { type: "progress", progress: 3, total: 4, message: "three of four" });
    expect(run).toMatchObject({ state: "running", invocationId: "inv_1", progress: { done: 3, total: 4 } });
    expect(run.state === "running" && run.lines).toEqual(['{"waited_ms":10}', "half a line", "three of four"]);
    run = event(run, "finished", { ...envelope, output: { x: 1 }, cached: true });
    expect(run).toMatchObject({ state: "done", result: { output: { x: 1 }, durationMs: 1500, isCached: true, isCancelled: false, error: undefined } });
  });

  it("tells what a model says and what a script prints as one text, line by line", () => {
    let run = event(started(), "output", { text: "Dear " });
    run = event(run, "output", { text: "Kim" });
    expect(run.state === "running" && run.lines).toEqual(["Dear Kim"]);
    run = event(event(started(), "output", { stdout: "one\ntw" }), "output", { stdout: "o\n" });
    run = event(run, "output", { stdout: "three" });
    expect(run.state === "running" && run.lines.join("\n")).toBe("one\ntwo\nthree");
  });

  it("waits for a person, and goes on when they decided", () => {
    const row = { id: "inv_2", status: "pending", input: { a: 1 }, attachments: [], warnings: [] };
    const waiting = event(started(), "needs_approval", row);
    expect(waiting.state).toBe("waiting");
    const other = reduce(waiting, { type: "followed", invocation: { ...row, id: "inv_9", status: "completed" } as never });
    expect(other).toBe(waiting);
    const rejected = reduce(waiting, { type: "followed", invocation: { ...row, status: "rejected" } as never });
    expect(rejected).toMatchObject({ state: "done", result: { isRejected: true, invocationId: "inv_2" } });
    const edited = reduce(waiting, { type: "followed", invocation: { ...row, status: "completed", approved_input: { a: 2 }, output: { ok: true } } as never });
    expect(edited).toMatchObject({ state: "done", result: { input: { a: 2 }, output: { ok: true } } });
  });

  it("that was cancelled says so, and keeps its input for another try", () => {
    const cancelling = reduce(event(started(), "started", { invocation_id: "inv_1" }), { type: "cancelling" });
    const done = event(cancelling, "finished", { ...envelope, error: { code: "UNKNOWN", message: "the call was cancelled" } });
    expect(done).toMatchObject({ state: "done", result: { isCancelled: true, input: { a: 1 } } });
  });

  it("keeps only the last lines", () => {
    let run = started();
    for (let index = 0; index < MAX_LINES + 50; index += 1) run = event(run, "output", { index });
    expect(run.state === "running" && run.lines.length).toBe(MAX_LINES);
    expect(lineOf("x".repeat(9_000)).length).toBe(2_000);
    expect(progressOf({ progress: 1 })).toBeUndefined();
  });
});
