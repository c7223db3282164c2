import { expect, test } from "vitest";

import type { Invocation } from "@/api/queries";

import type { CallEvent } from "../queries";
import { timelineOf } from "./timeline";

const call = (more: Partial<Invocation>) =>
  ({ id: "inv_1", caller: "usr_1", created_at: "2026-01-01T00:00:00Z", status: "completed", ...more }) as Invocation;
const event = (type: CallEvent["type"], at: string) => ({ type, created_at: at }) as CallEvent;

test("a call that was approved is told with who said yes, and how long each step took", () => {
  const steps = timelineOf(call({ approval_decided_by: "usr_2", started_at: "2026-01-01T00:01:01Z", completed_at: "2026-01-01T00:01:02Z" }), [
    event("tool.needs_approval", "2026-01-01T00:00:00Z"),
    event("tool.approved", "2026-01-01T00:01:00Z"),
    event("tool.started", "2026-01-01T00:01:01Z"),
    event("tool.completed", "2026-01-01T00:01:02Z"),
  ]);
  expect(steps.map(({ moment, by, afterMs }) => [moment, by, afterMs])).toEqual([
    ["recorded", "usr_1", undefined],
    ["asked", undefined, 0],
    ["approved", "usr_2", 60_000],
    ["started", undefined, 1_000],
    ["completed", undefined, 1_000],
  ]);
});

test("a rejection is no failure of the tool", () => {
  const rejected = call({ status: "rejected", approval_decided_by: "usr_2", completed_at: "2026-01-01T00:00:05Z" });
  expect(timelineOf(rejected, [event("tool.failed", "2026-01-01T00:00:05Z")]).map(({ moment }) => moment)).toEqual(["recorded", "rejected"]);
});

test("without its events the row has to do", () => {
  const done = call({ started_at: "2026-01-01T00:00:01Z", completed_at: "2026-01-01T00:00:02Z" });
  expect(timelineOf(done, []).map(({ moment }) => moment)).toEqual(["recorded", "started", "completed"]);
});
