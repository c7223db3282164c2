import { describe, expect, it } from "vitest";

import { fold, NOTHING, type RunEvent } from "./state";
import { brief, passagesOf, timelineOf, totalsOf, withInner } from "./view";

const RUN = "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
const OWN = "inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
let id = 0;

function event(type: string, data: Record<string, unknown> = {}, atS = 0): RunEvent {
  id += 1;
  return { id, type, run_id: RUN, data, created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, atS)).toISOString() };
}

const call = (type: string, invocation: string, more: Record<string, unknown> = {}) => event(type, { invocation_id: invocation, parent_id: OWN, name: "look", iteration: 1, ...more });
const folded = (...events: RunEvent[]) => events.reduce(fold, NOTHING);

describe("a run, folded from its events", () => {
  it("puts words and calls in the order of the turns", () => {
    const state = folded(
      event("run.started"),
      event("text.delta", { iteration: 1, text: "I look " }),
      event("text.delta", { iteration: 1, text: "at both." }),
      call("tool.started", "inv_a", { input: { q: 1 } }),
      call("tool.started", "inv_b", { input: { q: 2 } }),
      call("tool.started", "inv_c", { parent_id: "inv_b", iteration: null }),
      call("tool.completed", "inv_b", { status: "completed", output: { sum: 3 }, cached: true, duration_ms: 12 }),
      call("tool.failed", "inv_a", { status: "rejected", error: { code: "POLICY_DENIED", message: "no" } }),
      event("text.delta", { iteration: 2, text: "It is" }),
    );
    const [first, second] = passagesOf(state);
    expect(first?.text).toBe("I look at both.");
    expect(first?.calls.map(({ id: of, status }) => [of, status])).toEqual([
      ["inv_a", "rejected"],
      ["inv_b", "completed"],
    ]);
    expect(second).toEqual({ iteration: 2, text: "It is", calls: [] });
    const depths = timelineOf(state, true).flatMap((entry) => (entry.kind === "call" ? [`${entry.call.id} ${String(entry.depth)}`] : []));
    expect(depths).toEqual(["inv_a 0", "inv_b 0", "inv_c 1"]);
  });

  it("finds a question however deep the call stands that asks it", () => {
    const state = folded(call("tool.started", "inv_a"), call("tool.started", "inv_b", { parent_id: "inv_a" }), call("tool.needs_approval", "inv_c", { parent_id: "inv_b" }));
    const [own] = state.calls;
    expect(own && withInner(state, own).map(({ id: of, status }) => [of, status])).toEqual([["inv_a", "running"], ["inv_b", "running"], ["inv_c", "pending"]]);
  });

  it("takes no event twice", () => {
    const delta = event("text.delta", { iteration: 1, text: "once" });
    expect(passagesOf(folded(delta, delta))[0]?.text).toBe("once");
  });

  it("begins a text again that a run begins again after a crash", () => {
    const cut = [event("text.delta", { iteration: 1, text: "The answer is" }), event("text.delta", { iteration: 1, text: "The" }, 5), event("text.delta", { iteration: 1, text: " answer is 42" }, 5)];
    expect(passagesOf(folded(...cut))[0]?.text).toBe("The answer is 42");
    const whole = [event("text.delta", { iteration: 1, text: "Once upon a time " }), event("text.delta", { iteration: 1, text: "Once upon a time there was a gate." })];
    expect(passagesOf(folded(...whole))[0]?.text).toBe("Once upon a time there was a gate.");
    const refrain = [event("text.delta", { iteration: 1, text: "ha" }), event("text.delta", { iteration: 1, text: "ha" })];
    expect(passagesOf(folded(...refrain))[0]?.text, "a word may come twice").toBe("haha");
  });

  it("counts the response of a run that is over, and what it took", () => {
    const usage = (iteration: number) => event("usage", { iteration, model: "m", usage: { input_tokens: 100, output_tokens: 10 }, cost: 0.01, latency_ms: 5 });
    const state = folded(
      call("tool.needs_approval", "inv_a", { input: {} }),
      usage(1),
      event("text.delta", { iteration: 2, text: "half" }),
      usage(2),
      event("run.finished", { status: "completed", response: "half and half", cost: null }),
    );
    expect(passagesOf(state).map(({ text }) => text)).toEqual(["", "half and half"]);
    expect(totalsOf(state)).toEqual({ inputTokens: 200, outputTokens: 20, cost: 0.02, model: "m" });
    expect(state.calls[0]?.status, "what had not ended ended with the run").toBe("cancelled");
  });

  it("says who is waited for", () => {
    expect(folded(event("run.waiting", { reason: "approval" })).status).toBe("pending");
    const waits = folded(call("tool.needs_approval", "inv_a"), event("run.waiting", { reason: "calls" }));
    expect([waits.waitsFor, waits.calls[0]?.status]).toEqual(["calls", "pending"]);
    expect(fold(waits, call("tool.approved", "inv_a")).waitsFor).toBe("nothing");
  });
});

describe("a value in one line", () => {
  it("is short, and an object of one thing is that thing", () => {
    expect(brief({ result: 42 })).toBe("42");
    expect(brief({ a: "x\n y", b: [1] })).toBe("a: x y, b: [1]");
    expect(brief("long ".repeat(100)).length).toBeLessThan(145);
  });
});
