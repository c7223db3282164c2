import { expect, test } from "vitest";

import { getAt, isAround, isSame, pathOf, pointerOf, setAt } from "./json";

test("one place changes, and nothing else does", () => {
  const doc = { b: 1, a: { x: [1, { y: 2 }] } };
  const made = setAt(doc, ["a", "x", 1, "y"], 3);
  expect(JSON.stringify(made)).toBe('{"b":1,"a":{"x":[1,{"y":3}]}}');
  expect(getAt(made, ["a", "x", 1, "y"])).toBe(3);
  expect(doc.a.x[1]).toEqual({ y: 2 });
});

test("what is taken out leaves no empty groups behind", () => {
  expect(setAt({ execution: { kind: "http", auth: { type: "bearer" } } }, ["execution", "auth", "type"], undefined)).toEqual({ execution: { kind: "http" } });
  expect(setAt({ a: 1 }, ["b", "c"], undefined)).toEqual({ a: 1 });
});

test("a pointer names a place, also with slashes in it", () => {
  const path = ["properties", "a/b~c", "type"];
  expect(pathOf(pointerOf(path))).toEqual(path);
  expect(isAround(["execution"], "/execution/url")).toBe(true);
  expect(isAround(["exec"], "/execution/url")).toBe(false);
});

test("the order of keys says nothing, that of items does", () => {
  expect(isSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame({ a: undefined }, {})).toBe(false);
});
