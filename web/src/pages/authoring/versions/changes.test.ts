import { expect, test } from "vitest";

import { changesBetween } from "./changes";
import { diffLines, folded } from "./lines";

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

test("texts are held against each other line by line", () => {
  const lines = diffLines("a\nb\nc\nd", "a\nB\nc\nd\ne");
  expect(lines.map(({ kind, text }) => `${kind[0]}${text}`)).toEqual(["sa", "rb", "aB", "sc", "sd", "ae"]);
  expect(diffLines("x", "x")).toEqual([{ kind: "same", text: "x" }]);
});

test("what is far from any change is folded away", () => {
  const long = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
  const shown = folded(diffLines(long, long.replace("line 20", "line twenty")));
  expect(shown.filter((line) => line === undefined)).toHaveLength(2);
  expect(shown.filter((line) => line?.kind === "same")).toHaveLength(6);
});

test("the lines of the new text are what is the same and what came, in order", () => {
  let state = 7;
  const next = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  for (let round = 0; round < 200; round += 1) {
    const [a, b] = [0, 1].map(() => Array.from({ length: next(12) + 1 }, () => "abc"[next(3)] ?? "").join("\n")) as [string, string];
    const lines = diffLines(a, b);
    const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text).join("\n");
    expect(without("removed")).toBe(b);
    expect(without("added")).toBe(a);
  }
});
