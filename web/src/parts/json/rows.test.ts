import { expect, test } from "vitest";

import { CLOSED, PAGE, parentOf, rowsOf, showMore, toggle } from "./rows";

const paths = (value: unknown, state = CLOSED) => rowsOf(value, state).map(({ path }) => path);

test("a value opens two levels deep by itself, and further where one asks", () => {
  const value = { a: { b: { c: 1 } }, "x/y": "text" };
  expect(paths(value)).toEqual(["", "/a", "/a/b", "/x~1y"]);
  expect(paths(value, toggle(CLOSED, "/a/b"))).toEqual(["", "/a", "/a/b", "/a/b/c", "/x~1y"]);
  expect(paths(value, toggle(CLOSED, "/a"))).toEqual(["", "/a", "/x~1y"]);
});

test("a large list stays closed below the top, and comes in parts", () => {
  const list = Array.from({ length: 100_000 }, (_, index) => index);
  expect(paths({ list })).toEqual(["", "/list"]);
  const top = rowsOf(list, CLOSED);
  expect(top).toHaveLength(1 + PAGE + 1);
  expect(top.at(-1)).toMatchObject({ kind: "more", size: 100_000 - PAGE });
  expect(rowsOf(list, showMore(CLOSED, ""))).toHaveLength(1 + 6 * PAGE + 1);
});

test("what is empty cannot be opened", () => {
  expect(rowsOf({ none: [], nothing: null }, CLOSED).map(({ kind, isOpen }) => [kind, isOpen])).toEqual([
    ["object", true],
    ["array", false],
    ["null", false],
  ]);
});

test("the left arrow leads to what holds a line", () => {
  const rows = rowsOf({ a: { b: 1, c: 2 } }, CLOSED);
  expect(parentOf(rows, 3)).toBe(1);
  expect(parentOf(rows, 0)).toBe(0);
});
