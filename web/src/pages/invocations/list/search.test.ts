import { expect, test } from "vitest";

import { parseSearch, toQuery } from "./search";

const NOW = Date.parse("2026-03-02T09:00:00Z");

test("what is not understood in the address is left out", () => {
  expect(parseSearch({ status: "completed", tool: "send", since: "yesterday", until: "2026-13-45", kind: 7 })).toEqual({ status: "completed", tool: "send" });
  expect(parseSearch({ since: "24h", until: "2026-03-02" })).toEqual({ since: "24h", until: "2026-03-02" });
});

test("a span goes back from now, a day counts whole", () => {
  expect(toQuery({ since: "1h" }, NOW)).toEqual({ since: "2026-03-02T08:00:00.000Z" });
  const { since, until } = toQuery({ since: "2026-03-01", until: "2026-03-01" }, NOW);
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000);
});

test("test runs are asked for, or left out, or both", () => {
  expect([toQuery({ kind: "test" }, NOW), toQuery({ kind: "real" }, NOW), toQuery({}, NOW)]).toEqual([{ test: true }, { test: false }, {}]);
});
