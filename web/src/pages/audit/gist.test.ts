import { expect, test } from "vitest";

import { gist, toneOf } from "./gist";

test("a change is told by what changed, anything else by its name", () => {
  expect(gist({ before: { bio: "a", guard: { x: 1 }, updated_at: 1 }, after: { bio: "b", guard: { x: 2, y: 3 }, updated_at: 2 } })).toBe("bio, guard");
  expect(gist({ after: { id: "key_1", name: "ci" } })).toBe("ci");
  expect(gist({ before: { id: "x" } })).toBe("");
  expect(gist({ after: "because" })).toBe("because");
});

test("what takes something away stands out", () => {
  expect(["key.revoke", "approval.bypass", "key.create", "tool.lifecycle"].map(toneOf)).toEqual(["warn", "bad", "good", "quiet"]);
});
