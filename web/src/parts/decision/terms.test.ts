import { expect, test } from "vitest";

import type { Invocation } from "@/api/queries";

import { canBeEdited, canBeForGood, needsAnother } from "./terms";

const call = (more: Partial<Invocation>) => ({ caller: "usr_1", egress_class: "read_only", decision: { verdict: "ask", evidence: [] }, ...more }) as Invocation;

test("only an agent's call that writes nothing outside is approved for good", () => {
  expect(canBeForGood(call({ agent_id: "agt_1" }))).toBe(true);
  expect(canBeForGood(call({ agent_id: "agt_1", egress_class: "write" }))).toBe(false);
  expect(canBeForGood(call({}))).toBe(false);
});

test("where two must agree, neither changes the arguments nor answers for good", () => {
  const asked = call({ agent_id: "agt_1", approval: { quorum: 2, allow_self: false, independent: false, votes: [] } });
  expect([canBeForGood(asked), canBeEdited(asked)]).toEqual([false, false]);
});

test("one's own call waits for somebody else", () => {
  expect(needsAnother(call({}), "usr_1")).toBe(true);
  expect(needsAnother(call({}), "usr_2")).toBe(false);
  expect(needsAnother(call({ decision: { verdict: "ask", evidence: [], approval: { quorum: 1, allow_self: true, independent: false, allow_self_by: null } } }), "usr_1")).toBe(false);
});
