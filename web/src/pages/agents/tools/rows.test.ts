import { expect, test } from "vitest";

import type { Agent } from "@/api/queries";

import type { Assignment, CatalogEntry, Permissions } from "../queries";
import { fitsWords, reachOf, rowsOf } from "./rows";

const entry = (toolName: string, category = "utility") => ({ toolName, category, description: `${toolName} does it` }) as CatalogEntry;
const agent = { custom_tools: ["calculate"], tool_groups: ["analysis"] } as unknown as Agent;
const catalog = [entry("calculate"), entry("parse_csv", "analysis"), entry("send_letter"), entry("wait"), entry("unrelated")];
const permissions = { tools: [{ toolName: "wait", permissionStatus: "blocked" }, { toolName: "gone", permissionStatus: "always_allow" }], overrides: [] } as unknown as Permissions;
const assignments = [{ tool: "send_letter", allowed: false }] as Assignment[];

test("a tool is given by an assignment, by name, by category, or because something is said about it", () => {
  const rows = rowsOf(agent, catalog, permissions, assignments);
  expect(rows.map((row) => [row.name, reachOf(row), row.tier])).toEqual([
    ["calculate", "named", "needs_approval"],
    ["gone", "listed", "always_allow"],
    ["parse_csv", "category", "needs_approval"],
    ["send_letter", "denied", "needs_approval"],
    ["unrelated", "none", "needs_approval"],
    ["wait", "listed", "blocked"],
  ]);
});

test("words are found in the name, the category and the description", () => {
  const [row] = rowsOf(agent, catalog, permissions, assignments);
  expect(row && fitsWords(row, "does util")).toBe(true);
  expect(row && fitsWords(row, "mail")).toBe(false);
});
