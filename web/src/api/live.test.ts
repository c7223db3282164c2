import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { backoffMs, live, nextSettleMs, parseEvent, touchedBy, type LiveEventType } from "./live";

afterEach(() => vi.unstubAllGlobals());

test("tries again after one second, then twice as long each time, and never more than half a minute", () => {
  expect([1, 2, 3, 6, 60].map(backoffMs)).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
});

const event = (type: LiveEventType, name = "calculate", session = "1") => ({ type, data: { name }, session_id: `ses_${session}`, invocation_id: "inv_1" });

test("a question and its answer refresh the inbox; a chunk of output refreshes nothing", () => {
  expect(touchedBy(event("tool.needs_approval"))).toContain("approvals");
  expect(touchedBy(event("tool.cancelled"))).toContain("approvals");
  expect(touchedBy(event("tool.output_appended", "run_agent"))).toEqual([]);
});

test("a run that begins is among the runs at once; a call that begins asks for the calls, and for nothing else", () => {
  expect(touchedBy(event("tool.started", "run_agent"))).toEqual(["invocations", "runs"]);
  expect(touchedBy(event("tool.started"))).toEqual(["invocations"]);
  expect(touchedBy(event("tool.started", "calculate", "of a run"))).toEqual(["invocations"]);
});

test("what a run's calls do changes what the runs wait for; a call that no run made does not", () => {
  expect(touchedBy(event("tool.completed", "calculate", "of a run"))).toContain("runs");
  expect(touchedBy(event("tool.needs_approval", "calculate", "of a run"))).toContain("runs");
  expect(touchedBy(event("tool.completed"))).toEqual(["invocations", "tasks"]);
});

test("the longer a burst of events goes on, the fewer refetches it makes; after a silence the first is quick again", () => {
  const burst = [1, 2, 3, 4, 5].reduce<number[]>((waits) => [...waits, nextSettleMs(waits.at(-1) ?? 250, 10)], []);
  expect(burst).toEqual([500, 1_000, 2_000, 2_000, 2_000]);
  expect(nextSettleMs(2_000, 3_000)).toBe(250);
  expect(nextSettleMs(250, Infinity)).toBe(250);
});

test("what is not an event of ours is left alone", () => {
  expect(parseEvent("{")).toBeUndefined();
  expect(parseEvent('{"type":"tool.unheard_of"}')).toBeUndefined();
  expect(parseEvent('{"type":"tool.failed","id":3}')).toMatchObject({ id: 3 });
});

test("what was asked for before the stream began is asked for once more: the stream begins with the present", async () => {
  const streams: { onopen?: () => void }[] = [];
  vi.stubGlobal(
    "EventSource",
    class {
      constructor() {
        streams.push(this);
      }
      onopen: (() => void) | undefined;
      addEventListener = () => undefined;
      close = () => undefined;
    },
  );
  const queryClient = new QueryClient();
  let answers = 0;
  const list = new QueryObserver(queryClient, { queryKey: ["approvals", "list"], queryFn: () => Promise.resolve((answers += 1)) });
  const leave = list.subscribe(() => undefined);
  const stop = live.start(queryClient);
  streams[0]?.onopen?.();
  await vi.waitFor(() => expect(list.getCurrentResult().data).toBe(2));
  leave();
  stop();
});
