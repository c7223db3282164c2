import { expect, test } from "vitest";

import { draftOf, settingsOf } from "./draft";

const NONE = {
  guard: { enabled_tools: null, max_iterations: null, max_tool_calls: null, max_budget: null, side_effects: null },
  rate_limit: null,
  agent_rate_limit: null,
  user_rate_limit: null,
  agent_daily_calls: null,
  budget: { daily: null, monthly: null },
  agent_budget: { daily: null, monthly: null },
};

test("what nobody limits stays without a limit", () => {
  expect(settingsOf(draftOf({}))).toEqual(NONE);
});

test("what is set goes through the form unchanged", () => {
  const settings = {
    ...NONE,
    guard: { enabled_tools: ["calculate", "send_letter"], max_iterations: 12, max_tool_calls: 40, max_budget: 2.5, side_effects: "read_only" as const },
    rate_limit: { limit: 600, window_s: 60 },
    agent_daily_calls: 200,
    budget: { daily: 20, monthly: 400 },
  };
  expect(settingsOf(draftOf(settings))).toEqual(settings);
});

test("a comma is a decimal point, and names may stand on lines or between commas", () => {
  const draft = draftOf({});
  draft.budgets.budget.daily = "12,50";
  draft.tools = "calculate, wait\n\nparse_csv ";
  expect(settingsOf(draft)).toMatchObject({ budget: { daily: 12.5 }, guard: { enabled_tools: ["calculate", "wait", "parse_csv"] } });
});
