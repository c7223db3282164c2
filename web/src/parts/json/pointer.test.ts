import { expect, test } from "vitest";

import { pointerOf, referred, stepsOf } from "./pointer";

test("a pointer leads back to the steps that it was made of", () => {
  const steps = ["fields", "0", "a/b", "~x", ""];
  expect(pointerOf(steps)).toBe("/fields/0/a~1b/~0x/");
  expect(stepsOf(pointerOf(steps))).toEqual(steps);
  expect([pointerOf([]), stepsOf("")]).toEqual(["", []]);
});

test("a reference leads into its own document, or nowhere", () => {
  const root = { $defs: { "a/b": { type: "string" } } };
  expect(referred("#/$defs/a~1b", root)).toEqual({ type: "string" });
  expect([referred("#/$defs/none/deeper", root), referred("https://elsewhere.example/x", root), referred(7, root)]).toEqual([undefined, undefined, undefined]);
});
