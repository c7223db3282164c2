import { expect, test } from "vitest";

import { bytes, cost, duration, relativeTime, tookMs } from "./format";

const now = new Date("2026-01-10T12:00:00Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

test("how long ago, in the largest unit that fits", () => {
  expect(relativeTime(before(0), now, "en")).toBe("now");
  expect(relativeTime(before(59), now, "en")).toBe("59 sec. ago");
  expect(relativeTime(before(3_599), now, "en")).toBe("59 min. ago");
  expect(relativeTime(before(86_400), now, "en")).toBe("yesterday");
  expect(relativeTime(before(-7_200), now, "es")).toBe("dentro de 2 h");
});

test("durations have two parts at most", () => {
  expect(duration(0.4, "en")).toBe("0 ms");
  expect(duration(850, "en")).toBe("850 ms");
  expect(duration(1_254, "en")).toBe("1.25 sec");
  expect(duration(185_000, "en")).toBe("3 min 5 sec");
  expect(duration(3_600_000, "en")).toBe("1 hr");
});

test("what has not ended took nothing that is known, and nothing ends before it begins", () => {
  expect(tookMs("2026-01-10T12:00:00Z", "2026-01-10T12:00:01.5Z")).toBe(1_500);
  expect([tookMs("2026-01-10T12:00:01Z", "2026-01-10T12:00:00Z"), tookMs("2026-01-10T12:00:00Z", null)]).toEqual([0, undefined]);
});

test("bytes and costs", () => {
  expect(bytes(0, "en")).toBe("0 byte");
  expect(bytes(2_100_000, "en")).toBe("2.1 MB");
  expect(cost(0.000123, "en")).toBe("$0.000123");
  expect(cost(12.5, "en")).toBe("$12.50");
});
