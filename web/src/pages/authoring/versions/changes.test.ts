import { expect, test } from "vitest";

import { changesBetween } from "./changes";

test("one field of many that changed is one line", () => {
  const schema = (max: number) => ({ type: "object", properties: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, { type: "string", maxLength: index === 7 ? max : 10 }])) });
  expect(changesBetween(schema(10), schema(20))).toEqual([{ path: ["properties", "f7", "maxLength"], from: 10, to: 20 }]);
});

test("what came and what went is told at its place", () => {
  expect(changesBetween({ a: 1, b: { c: [1] } }, { b: { c: [1, 2], d: {} } })).toEqual([
    { path: ["a"], from: 1, to: undefined },
    { path: ["b", "c"], from: [1], to: [1, 2] },
    { path: ["b", "d"], from: undefined, to: {} },
  ]);
});
