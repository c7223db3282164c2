import { expect, test } from "vitest";

import { canonical } from "./canonical";
import { diffLines, folded } from "./lines";

const signs = { same: " ", removed: "-", added: "+" };
const told = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => signs[kind] + text);

test("lines that changed stand between those that did not", () => {
  expect(told("a\nb\nc", "a\nB\nc")).toEqual([" a", "-b", "+B", " c"]);
  expect(told("a\nb", "a\nx\nb")).toEqual([" a", "+x", " b"]);
  expect(told("same", "same")).toEqual([" same"]);
});

test("far from a change, equal lines are counted and not shown", () => {
  const long = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const shown = folded(diffLines(long.join("\n"), [...long.slice(0, 19), "other"].join("\n")));
  expect(shown[0]).toEqual({ kind: "fold", count: 16 });
  expect(shown.filter(({ kind }) => kind === "same")).toHaveLength(3);
});

test("the order of keys is no difference", () => {
  expect(canonical({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonical({ a: null, b: [{ c: 2, d: 1 }] }));
});
