import { expect, test } from "vitest";

import { backoffMs, parseEvent, touchedBy } from "./live";

test("tries again after one second, then twice as long each time, and never more than half a minute", () => {
  expect([1, 2, 3, 6, 60].map(backoffMs)).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
});

test("a question and its answer refresh the inbox; a chunk of output refreshes nothing", () => {
  expect(touchedBy("tool.needs_approval")).toContain("approvals");
  expect(touchedBy("tool.cancelled")).toContain("approvals");
  expect(touchedBy("tool.output_appended")).toEqual([]);
});

test("what is not an event of ours is left alone", () => {
  expect(parseEvent("{")).toBeUndefined();
  expect(parseEvent('{"type":"tool.unheard_of"}')).toBeUndefined();
  expect(parseEvent('{"type":"tool.failed","id":3}')).toMatchObject({ id: 3 });
});
