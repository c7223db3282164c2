import { expect, test } from "vitest";

import { changesOf } from "./changes";

test("what came, went and changed is named by its place", () => {
  const before = { name: "clerk", guard: { max_tool_calls: 5 }, persona: null };
  const after = { name: "clerk", guard: { max_tool_calls: 9, max_budget: 1 }, persona: "kind" };
  expect(changesOf(before, after)).toEqual([
    { path: "guard.max_tool_calls", kind: "changed", before: 5, after: 9 },
    { path: "guard.max_budget", kind: "added", after: 1 },
    { path: "persona", kind: "added", after: "kind" },
  ]);
});

test("a list of plain values tells what came and went, wherever it stood", () => {
  expect(changesOf({ tools: ["a", "b"] }, { tools: ["b", "c"] })).toEqual([
    { path: "tools", kind: "removed", before: "a" },
    { path: "tools", kind: "added", after: "c" },
  ]);
  expect(changesOf(["a", "b"], ["b", "a"])).toHaveLength(1);
});

test("a list of objects is compared place by place", () => {
  expect(changesOf([{ a: 1 }], [{ a: 2 }, { a: 3 }])).toEqual([
    { path: "0.a", kind: "changed", before: 1, after: 2 },
    { path: "1", kind: "added", after: { a: 3 } },
  ]);
});

test("null and nothing are the same, and equal values do not differ", () => {
  expect(changesOf({ a: null, b: { c: [1] } }, { b: { c: [1] } })).toEqual([]);
});
