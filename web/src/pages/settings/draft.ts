// The settings as a form has them: texts, of which an empty one means “no limit”.
import type { Schemas } from "@/api/client";
import { numberText, typedNumber } from "@/parts/form/numbers";

import type { Settings } from "./queries";

export const RATES = ["rate_limit", "agent_rate_limit", "user_rate_limit"] as const;
export const BUDGETS = ["budget", "agent_budget"] as const;
export const BOUNDS = ["max_iterations", "max_tool_calls", "max_budget"] as const;

export interface Draft {
  rates: Record<(typeof RATES)[number], { limit: string; window: string }>;
  dailyCalls: string;
  budgets: Record<(typeof BUDGETS)[number], { daily: string; monthly: string }>;
  bounds: Record<(typeof BOUNDS)[number], string>;
  egress: Schemas["EgressClass"] | "";
  /** One name per line. */
  tools: string;
}

/** What is not limited may be left out. */
export function draftOf(settings: Partial<Settings>): Draft {
  const rate = (limit: Schemas["RateLimit"] | null | undefined) => ({ limit: numberText(limit?.limit), window: limit ? numberText(limit.window_s) : "60" });
  const budget = (given: Partial<Schemas["Budget"]> | undefined) => ({ daily: numberText(given?.daily), monthly: numberText(given?.monthly) });
  const guard: Partial<Schemas["Guard"]> = settings.guard ?? {};
  return {
    rates: { rate_limit: rate(settings.rate_limit), agent_rate_limit: rate(settings.agent_rate_limit), user_rate_limit: rate(settings.user_rate_limit) },
    dailyCalls: numberText(settings.agent_daily_calls),
    budgets: { budget: budget(settings.budget), agent_budget: budget(settings.agent_budget) },
    bounds: { max_iterations: numberText(guard.max_iterations), max_tool_calls: numberText(guard.max_tool_calls), max_budget: numberText(guard.max_budget) },
    egress: guard.side_effects ?? "",
    tools: (guard.enabled_tools ?? []).join("\n"),
  };
}

export function settingsOf(draft: Draft): Settings {
  const number = (value: string) => typedNumber(value) ?? null;
  const rate = ({ limit, window }: Draft["rates"]["rate_limit"]) => (limit.trim() === "" ? null : { limit: Number(limit), window_s: Number(window) });
  const budget = ({ daily, monthly }: Draft["budgets"]["budget"]) => ({ daily: number(daily), monthly: number(monthly) });
  const tools = draft.tools.split(/[\s,]+/).filter(Boolean);
  return {
    guard: {
      enabled_tools: tools.length === 0 ? null : tools,
      max_iterations: number(draft.bounds.max_iterations),
      max_tool_calls: number(draft.bounds.max_tool_calls),
      max_budget: number(draft.bounds.max_budget),
      side_effects: draft.egress === "" ? null : draft.egress,
    },
    rate_limit: rate(draft.rates.rate_limit),
    agent_rate_limit: rate(draft.rates.agent_rate_limit),
    user_rate_limit: rate(draft.rates.user_rate_limit),
    agent_daily_calls: number(draft.dailyCalls),
    budget: budget(draft.budgets.budget),
    agent_budget: budget(draft.budgets.agent_budget),
  };
}
