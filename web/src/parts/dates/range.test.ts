import { expect, test } from "vitest";

import { dayOf, daysBetween, firstOf, momentsOf, parseRange } from "./range";

test("a day that does not exist is no day", () => {
  expect(dayOf("2026-02-28")).toBe("2026-02-28");
  expect(["2026-02-30", "yesterday", 20260228, undefined].map(dayOf)).toEqual([undefined, undefined, undefined, undefined]);
});

test("two days the wrong way round are turned", () => {
  expect(parseRange({ since: "2026-03-04", until: "2026-03-01" })).toEqual({ since: "2026-03-01", until: "2026-03-04" });
  expect(parseRange({ until: "x" })).toEqual({});
});

test("the last day belongs to the range", () => {
  expect(momentsOf({ since: "2026-03-01", until: "2026-03-31" }, "utc")).toEqual({ since: "2026-03-01T00:00:00.000Z", until: "2026-04-01T00:00:00.000Z" });
  expect(momentsOf({}, "local")).toEqual({});
});

test("seven days end today", () => {
  expect(firstOf(7, Date.parse("2026-11-16T12:00:00Z"), "utc")).toBe("2026-11-10");
  expect(firstOf(1, Date.parse("2026-11-16T12:00:00Z"), "utc")).toBe("2026-11-16");
});

test("every day has its place, and the moment at which it ends is outside", () => {
  expect(daysBetween("2026-02-27T00:00:00Z", "2026-03-02T00:00:00Z")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(daysBetween("2026-02-27T09:00:00Z", "2026-02-28T09:00:00Z")).toEqual(["2026-02-27", "2026-02-28"]);
});
