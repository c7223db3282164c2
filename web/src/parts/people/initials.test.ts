import { expect, test } from "vitest";

import { initials } from "./initials";

test("initials are those of the first and the last word, whatever is between them", () => {
  expect(["Invoice Clerk", "sales-clerk", "Ana María del Río", "clerk", "Ölaf", "🦊 Fox", "", "--"].map(initials)).toEqual(["IC", "SC", "AR", "C", "Ö", "🦊F", "?", "?"]);
});
