import { expect, test } from "vitest";

import type { Invocation } from "@/api/queries";

import { groupsOf, sameness } from "./groups";

const call = (id: string, more: Partial<Invocation> = {}) => ({ id, tool_key: "send@1.0.0", caller: "key_1", agent_id: "agt_1", input: { to: "a", text: "b" }, ...more }) as Invocation;
const ids = (calls: Invocation[], apart = new Set<string>()) => groupsOf(calls, apart).map((group) => group.calls.map(({ id }) => id));

test("the same arguments are one question, in whatever order they are written", () => {
  expect(ids([call("3"), call("2", { input: { text: "b", to: "a" } }), call("1")])).toEqual([["3", "2", "1"]]);
});

test("another version, another asker or another argument is another question", () => {
  const others = [call("1"), call("2", { tool_key: "send@1.0.1" }), call("3", { agent_id: "agt_2" }), call("4", { input: { to: "a", text: "B" } })];
  expect(ids(others)).toEqual([["1"], ["2"], ["3"], ["4"]]);
});

test("who wants to decide one by one gets one by one", () => {
  expect(ids([call("2"), call("1")], new Set([sameness(call("1"))]))).toEqual([["2"], ["1"]]);
});
