import { expect, test } from "vitest";

import type { Agent } from "@/api/queries";

import { documentOf, draftOf, handleOf, patchOf, wrongIn } from "./draft";

const agent = {
  handle: "clerk",
  display_name: "Clerk",
  guard: { max_tool_calls: 5 },
  actions: { blocked: [], daily_quota: { run: 20 } },
  tool_groups: [],
  custom_tools: ["calculate"],
  metadata: { team: "finance" },
} as unknown as Agent;

test("an agent that nobody touches stays as it is", () => {
  expect(patchOf(draftOf(agent), draftOf(agent))).toEqual({});
});

test("only what differs is sent, and an emptied field is null", () => {
  const before = draftOf({ ...agent, bio: "Adds" });
  expect(patchOf(before, { ...before, bio: "", max_budget: "2,5" })).toEqual({ bio: null, guard: { max_tool_calls: 5, max_budget: 2.5 } });
});

test("a list that is empty is not the same as no list", () => {
  const draft = draftOf(agent);
  expect(documentOf(draft).guard?.enabled_tools).toBeUndefined();
  expect(documentOf({ ...draft, enabled_tools: [] }).guard?.enabled_tools).toEqual([]);
});

test("what cannot be sent is found before it is sent", () => {
  expect(wrongIn(draftOf())).toEqual({ display_name: "required", handle: "required" });
  expect(wrongIn({ ...draftOf(agent), max_budget: "lots", metadata: "[1]", quotas: [{ action: "run", count: "" }] })).toEqual({ max_budget: "number", metadata: "json", quotas: "quota" });
});

test("a handle comes out of a name", () => {
  expect(handleOf("Invoice Clerk")).toBe("invoice-clerk");
  expect(handleOf("¡Año Núñez!")).toBe("ano-nunez");
});
