import { expect, test } from "vitest";

import { safeReturn } from "./session";

test.each([
  ["/tools?search=mail", "/tools?search=mail"],
  ["//evil.example/x", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example", "/"],
  ["/sign-in?return_to=/tools", "/"],
  [undefined, "/"],
])("after signing in one goes from %s to %s", (asked, to) => {
  expect(safeReturn(asked)).toBe(to);
});
