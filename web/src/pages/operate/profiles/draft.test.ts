import { expect, test } from "vitest";

import { draftOf, EMPTY, toParams } from "./draft";
import type { Profile } from "./queries";

test("what a profile does not tighten is not sent", () => {
  expect(toParams({ ...EMPTY, name: " careful " })).toEqual({ name: "careful", description: "", requires_approval: false });
});

test("a profile comes back as it was shown", () => {
  const profile: Profile = { id: "prf_1", name: "careful", description: "d", requires_approval: true, approval: { quorum: 2, allow_self: false, independent: true, allow_self_by: null }, cost_limit: 1.5, rate_limit: { limit: 30, window_s: 60 }, timeout_ms: 5_000 };
  expect({ id: profile.id, ...toParams(draftOf(profile)) }).toEqual(profile);
});

test("nothing and zero are two things", () => {
  expect(toParams({ ...EMPTY, name: "n", cost: "0" }).cost_limit).toBe(0);
  expect(toParams({ ...EMPTY, name: "n", allowSelf: true }).approval).toEqual({ quorum: 1, allow_self: true, independent: false, allow_self_by: null });
});
