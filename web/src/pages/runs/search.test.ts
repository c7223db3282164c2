import { expect, test } from "vitest";

import { parseRunSearch, parseRunsSearch } from "./search";

test("what somebody typed into the address is read, or left out", () => {
  expect(parseRunsSearch({ agent: "clerk", status: "failed", since: "2026-03-01", until: "never", what: 1 })).toEqual({ agent: "clerk", status: "failed", since: "2026-03-01" });
  expect(parseRunsSearch({ agent: 7, status: "asleep" })).toEqual({ agent: "7" });
  expect(parseRunSearch({ tab: "replay", step: "2", span: "ab", show: "errors" })).toEqual({ tab: "replay", step: 2, span: "ab", show: "errors" });
  expect(parseRunSearch({ tab: "x", step: -1 })).toEqual({});
});
