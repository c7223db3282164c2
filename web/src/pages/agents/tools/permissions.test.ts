import { expect, test } from "vitest";

import type { Permissions } from "../queries";
import { withPermission } from "./permissions";

const override = (toolName: string) => ({ toolName, approvedBy: "usr_pia", approvedAt: "2026-03-01T09:00:00Z", invocationId: "inv_1" });
const now: Permissions = {
  agentId: "agt_1",
  tools: [
    { toolName: "calculate", permissionStatus: "always_allow", providerKey: "code" },
    { toolName: "send_letter", permissionStatus: "blocked", providerKey: null },
  ],
  overrides: [],
};

test("one line changes, the others stay", () => {
  expect(withPermission(now, { tool: "calculate", status: "blocked", given: new Set() })).toEqual([
    { toolName: "send_letter", permissionStatus: "blocked", providerKey: null },
    { toolName: "calculate", permissionStatus: "blocked", providerKey: "code" },
  ]);
});

test("a line is taken out", () => {
  expect(withPermission(now, { tool: "calculate", status: undefined, given: new Set() })).toEqual([{ toolName: "send_letter", permissionStatus: "blocked", providerKey: null }]);
});

test("what was approved for good stays approved when another tool changes", () => {
  const approved = { ...now, overrides: [override("search_web")] };
  const entries = withPermission(approved, { tool: "calculate", status: "needs_approval", given: new Set(["search_web"]) });
  expect(entries).toContainEqual({ toolName: "search_web", permissionStatus: "needs_approval" });
});

test("an old approval gives no tool back that was taken away", () => {
  const approved = { ...now, overrides: [override("search_web")] };
  const entries = withPermission(approved, { tool: "calculate", status: "needs_approval", given: new Set() });
  expect(entries.map(({ toolName }) => toolName)).not.toContain("search_web");
});
