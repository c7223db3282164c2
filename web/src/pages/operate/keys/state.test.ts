import { expect, test } from "vitest";

import { expiryOf, stateOf } from "./state";

const NOW = Date.parse("2026-03-02T09:00:00Z");

test("a key is revoked before it is anything else", () => {
  expect(stateOf({ revoked_at: "2026-03-01T00:00:00Z", expires_at: "2020-01-01T00:00:00Z" }, NOW)).toBe("revoked");
  expect(stateOf({ expires_at: "2026-03-02T08:59:59Z" }, NOW)).toBe("expired");
  expect(stateOf({ expires_at: "2026-03-02T09:00:01Z" }, NOW)).toBe("active");
  expect(stateOf({}, NOW)).toBe("active");
});

test("days are counted from now, and a day that was named lasts until its end", () => {
  expect(expiryOf("never", "", NOW)).toBeUndefined();
  expect(expiryOf("30", "", NOW)).toBe("2026-04-01T09:00:00.000Z");
  expect(expiryOf("date", "", NOW)).toBeUndefined();
  expect(new Date(expiryOf("date", "2026-03-05", NOW) ?? "").getHours()).toBe(23);
});
