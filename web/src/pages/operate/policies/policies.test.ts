import { expect, test } from "vitest";

import { differenceOf, draftOf, settled, spelled, toDocument, type Rule } from "./document";
import { flawAt, flawsIn } from "./flaws";
import { templates } from "./templates";

const night: Rule = { id: "night", tools: ["send_*", "post"], when: "time.hour >= 22", verdict: "ask", because: "Look first.", examples: { match: [{ time: { hour: 23 } }], no_match: [{ time: { hour: 9 } }] } };

test("a rule comes out of the form as it went in", () => {
  expect(toDocument([draftOf(night)])).toEqual({ document: { rules: [night] }, unreadable: [] });
});

test("an example that is not JSON is named by its place", () => {
  const draft = { ...draftOf(night), no_match: ["{}", "{time"] };
  const { unreadable } = toDocument([draftOf(night), draft]);
  expect(unreadable.map(({ place }) => place)).toEqual(["rules[1].examples.no_match[1]"]);
});

test("the order of members changes nothing", () => {
  const shuffled = { because: night.because, examples: { no_match: night.examples.no_match, match: night.examples.match }, verdict: night.verdict, when: night.when, tools: night.tools, id: night.id } as Rule;
  expect(spelled(settled({ rules: [shuffled] }))).toBe(spelled(settled({ rules: [night] })));
});

test("which rules come, go and change", () => {
  const other = { ...night, id: "other" };
  expect(differenceOf({ rules: [night, other] }, { rules: [{ ...night, verdict: "deny" }, { ...night, id: "new" }] })).toEqual({ added: ["new"], removed: ["other"], changed: ["night"] });
});

test("what the server says goes to its places", () => {
  const detail = "rule `a`, rules[0].when: the expression does not parse: line 1; write it again; rule `b`, rules[1].examples.match[0]: the example should match, but the condition is false; correct `when`, or the example; document: too many; merge";
  const flaws = flawsIn(detail);
  expect(flaws.map(({ place, rule }) => [place, rule])).toEqual([
    ["rules[0].when", 0],
    ["rules[1].examples.match[0]", 1],
    ["document", undefined],
  ]);
  expect(flawAt(flaws, "rules[0].when")).toBe("the expression does not parse: line 1; write it again");
  expect(flawsIn("unknown field `x`")).toEqual([{ place: "document", rule: undefined, message: "unknown field `x`" }]);
});

test("every example that the page offers has calls of both kinds", () => {
  const all = templates((key) => key);
  expect(new Set(all.map(({ rule }) => rule.id)).size).toBe(all.length);
  for (const { rule } of all) expect([rule.examples.match?.length ?? 0, rule.examples.no_match?.length ?? 0].every((count) => count > 0), rule.id).toBe(true);
});
