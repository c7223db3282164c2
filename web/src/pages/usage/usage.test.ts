import { expect, test } from "vitest";

import { byDay, rounded, sorted, type UsageItem } from "./days";
import { parseUsageSearch, toQuery } from "./search";

const NOW = Date.parse("2026-11-16T08:00:00Z");

test("without a range the report is about the last thirty days, in UTC", () => {
  expect(toQuery({}, NOW)).toEqual({ since: "2026-10-18T00:00:00.000Z" });
  expect(toQuery({ since: "2026-11-01", until: "2026-11-02", tool: "greet" }, NOW)).toEqual({ since: "2026-11-01T00:00:00.000Z", until: "2026-11-03T00:00:00.000Z", tool: "greet" });
  expect(parseUsageSearch({ by: "weather", agent: "agt_1" })).toEqual({ agent: "agt_1" });
});

test("every day has its place", () => {
  const items = [{ day: "2026-03-01", calls: 3 } as UsageItem];
  expect(byDay(items, "2026-02-28T00:00:00Z", "2026-03-01T09:00:00Z").map(({ item }) => item?.calls)).toEqual([undefined, 3]);
});

test("what is missing comes last, whichever way it is sorted", () => {
  const rows = [{ n: 2 }, { n: null }, { n: 5 }];
  expect(sorted(rows, ({ n }) => n, true).map(({ n }) => n)).toEqual([5, 2, null]);
  expect(sorted(rows, ({ n }) => n, false).map(({ n }) => n)).toEqual([2, 5, null]);
  expect(rounded(0.1 + 0.2)).toBe(0.3);
});
