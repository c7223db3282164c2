import { expect, test } from "vitest";

import { folded, lineDiff, visible } from "./line-diff";

const told = (before: string, after: string) => lineDiff(before, after).map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${text}`);

test("what changed stands between what did not", () => {
  expect(told("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  expect(told("a\nc", "a\nb\nc")).toEqual([" a", "+b", " c"]);
  expect(told("a\nb\nc\nd", "b\nc\nd\na")).toEqual(["-a", " b", " c", " d", "+a"]);
});

test("equal texts differ in nothing", () => {
  expect(lineDiff("a\nb", "a\nb").every(({ kind }) => kind === "same")).toBe(true);
});

test("both texts can be read back from the difference", () => {
  const [before, after] = ["one\ntwo\nthree\nfour", "zero\none\nthree\nfive"];
  const lines = lineDiff(before, after);
  expect(lines.filter(({ kind }) => kind !== "added").map(({ text }) => text).join("\n")).toBe(before);
  expect(lines.filter(({ kind }) => kind !== "removed").map(({ text }) => text).join("\n")).toBe(after);
});

test("long runs of equal lines are folded, but for three around a change", () => {
  const equal = Array.from({ length: 20 }, (_, index) => `line ${String(index)}`);
  const blocks = folded(lineDiff([...equal, "old"].join("\n"), [...equal, "new"].join("\n")));
  expect(blocks.map(({ kind, lines }) => [kind, lines.length])).toEqual([
    ["folded", 17],
    ["lines", 5],
  ]);
});

test("what cannot be seen is shown", () => {
  expect(visible("safe\u200Btool")).toBe("safe⟨U+200B⟩tool");
  expect(visible("plain ü 漢")).toBe("plain ü 漢");
});
