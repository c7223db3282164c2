import { expect, test } from "vitest";

import { grants, ordered, permissionGroups } from "./permissions";

const role = (name: string, permissions: string[], more: object = {}) => ({ name, permissions, built_in: true, everything: false, ...more });

test("the product's roles come first, the smallest first, then the tenant's own", () => {
  const roles = [role("zebra", [], { built_in: false }), role("admin", [], { everything: true }), role("member", ["a", "b"]), role("auditor", [], { built_in: false }), role("viewer", ["a"])];
  expect(ordered(roles).map(({ name }) => name)).toEqual(["viewer", "member", "admin", "auditor", "zebra"]);
});

test("a permission that only a role knows has its place beside those of the same thing", () => {
  const groups = permissionGroups([role("x", ["tools.team.paint", "zoo.cage.open"])]);
  expect(groups.find(({ thing }) => thing === "tools")?.names.at(-1)).toBe("tools.team.paint");
  expect(groups.at(-1)).toEqual({ thing: "zoo", names: ["zoo.cage.open"] });
});

test("who may do everything is granted each permission", () => {
  expect(grants(role("admin", [], { everything: true }), "zoo.cage.open")).toBe(true);
  expect(grants(role("viewer", ["tools.tenant.read"]), "zoo.cage.open")).toBe(false);
});
