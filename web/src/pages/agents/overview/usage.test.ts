import { expect, test } from "vitest";

import type { UsageItem } from "../queries";
import { daysOf, totalsOf } from "./usage";

const item = (day: string, calls: number, errors: number) => ({ day, calls, errors, input_tokens: 10, output_tokens: 5, cost: 0.5 }) as UsageItem;

test("a day without calls is there, and failures are counted apart", () => {
  expect(daysOf([item("2026-03-02", 5, 1)], "2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z")).toEqual([
    { day: "2026-03-01", calls: 0, errors: 0 },
    { day: "2026-03-02", calls: 4, errors: 1 },
  ]);
});

test("what it came to", () => {
  expect(totalsOf([item("2026-03-01", 1, 0), item("2026-03-02", 5, 1)])).toEqual({ calls: 6, errors: 1, tokens: 30, cost: 1 });
});
