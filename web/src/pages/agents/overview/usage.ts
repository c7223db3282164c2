import { daysBetween } from "@/parts/dates/range";

import type { UsageItem } from "../queries";

export interface Totals {
  calls: number;
  errors: number;
  tokens: number;
  cost: number;
}

export function totalsOf(items: readonly UsageItem[]): Totals {
  const sum = (value: (item: UsageItem) => number | null | undefined) => items.reduce((total, item) => total + (value(item) ?? 0), 0);
  return {
    calls: sum(({ calls }) => calls),
    errors: sum(({ errors }) => errors),
    tokens: sum(({ input_tokens, output_tokens }) => input_tokens + output_tokens),
    cost: sum(({ cost }) => cost),
  };
}

export interface Day {
  day: string;
  calls: number;
  errors: number;
}

/** Every day of the time that was asked for, those without a call as well: a gap is something to see. */
export function daysOf(items: readonly UsageItem[], from: string, to: string): Day[] {
  const known = new Map(items.map((item) => [item.day, item]));
  return daysBetween(from, to).map((day) => {
    const item = known.get(day);
    const errors = item?.errors ?? 0;
    return { day, calls: (item?.calls ?? 0) - errors, errors };
  });
}
