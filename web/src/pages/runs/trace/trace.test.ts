import { expect, test } from "vitest";

import type { Span } from "../types";
import { around, placeOf, ticksOf, zoomed } from "./scale";
import { extentOf, namedIn, roleOf, rowsOf, subjectOf, timeByRole } from "./tree";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 2) + ms).toISOString();
const span = (span_id: string, parent: string | null, name: string, from: number, lasts: number | null, status: Span["status"] = "ok"): Span => ({
  span_id, parent_span_id: parent, name, kind: "internal", started_at: at(from), duration_ms: lasts, status, attributes: {}, links: [],
});
const SPANS = [
  span("r", null, "invoke_agent clerk", 0, 1000),
  span("g", "r", "guard", 0, 0.04),
  span("m", "r", "chat gpt-5", 1, 400),
  span("c", "r", "execute_tool search", 410, 500, "error"),
  span("t", "c", "tool http", 420, 480),
  span("lost", "gone", "execute_tool calculate", 950, 10),
];
const NOW = Date.parse(at(5_000));

test("spans stand under what made them, and what lost its parent stands at the top", () => {
  const rows = rowsOf(SPANS, new Set(), "all", NOW);
  expect(rows.map(({ span: { span_id }, depth }) => `${String(depth)} ${span_id}`)).toEqual(["0 r", "1 g", "1 m", "1 c", "2 t", "0 lost"]);
  expect(rows[0]).toMatchObject({ below: 4, isOpen: true, position: 1, siblings: 2, fromMs: 0, toMs: 1000 });
  expect(rowsOf(SPANS, new Set(["r"]), "all", NOW).map(({ span: { span_id } }) => span_id)).toEqual(["r", "lost"]);
});

test("an address names a span, or the call that it is of", () => {
  const rows = rowsOf(SPANS.map((one) => (["c", "t"].includes(one.span_id) ? { ...one, invocation_id: "inv_1" } : one)), new Set(), "all", NOW);
  expect(["t", "inv_1", "inv_2", undefined].map((name) => namedIn(rows, name)?.span.span_id)).toEqual(["t", "c", undefined, undefined]);
});

test("guards can be left out, and errors be seen with what they stand in", () => {
  expect(rowsOf(SPANS, new Set(), "work", NOW).map(({ span: { span_id } }) => span_id)).toEqual(["r", "m", "c", "t", "lost"]);
  expect(rowsOf(SPANS, new Set(), "errors", NOW).map(({ span: { span_id } }) => span_id)).toEqual(["r", "c"]);
});

test("a span that goes on lasts until now", () => {
  const open = [span("r", null, "invoke_agent clerk", 0, null, "running")];
  expect(extentOf(open, NOW).lengthMs).toBe(5_000);
  expect(extentOf([], NOW).lengthMs).toBe(1);
});

test("names say what a span is, and what it is about", () => {
  expect(["invoke_agent clerk", "await approval", "tool http", "toolbox"].map((name) => roleOf({ name }))).toEqual(["run", "approval", "tool", "other"]);
  expect(["chat gpt-5", "guard"].map((name) => subjectOf({ name }))).toEqual(["gpt-5", "guard"]);
  expect(timeByRole(SPANS, NOW).map(({ role, count }) => [role, count])).toEqual([["model", 1], ["tool", 1], ["guard", 1]]);
});

test("a window shows a part of the time, and never more than there is", () => {
  const all = { fromMs: 0, toMs: 1000 };
  expect(zoomed(all, 0.5, 1000)).toEqual({ fromMs: 250, toMs: 750 });
  expect(zoomed(all, 4, 1000)).toEqual(all);
  expect(zoomed({ fromMs: 0, toMs: 100 }, 2, 1000, 0)).toEqual({ fromMs: 0, toMs: 200 });
  expect(placeOf(250, 750, all)).toEqual({ leftPercent: 25, widthPercent: 50 });
  expect(placeOf(0, 10, { fromMs: 500, toMs: 600 })).toBeUndefined();
  expect(placeOf(1000, 1000, all)).toEqual({ leftPercent: 99.6, widthPercent: 0.4 });
  expect(ticksOf(all, 5)).toEqual([0, 200, 400, 600, 800, 1000]);
  expect(around(400, 500, 1000)).toEqual({ fromMs: 390, toMs: 510 });
});
