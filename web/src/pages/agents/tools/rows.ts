// One row per tool that has to do with the agent: what it was given in which way, and what is said about it.
import type { Schemas } from "@/api/client";
import type { Agent } from "@/api/queries";

import type { Assignment, CatalogEntry, Permissions, PermissionStatus } from "../queries";
import { DEFAULT_TIER } from "./permissions";

/** How the agent comes to the tool; an assignment says more than the rest. */
export type Reach = "assigned" | "denied" | "named" | "category" | "listed" | "none";

export interface ToolRow {
  name: string;
  /** None: no such tool can be called any more. */
  entry: CatalogEntry | undefined;
  assignment: Assignment | undefined;
  isNamed: boolean;
  isInCategory: boolean;
  /** What is said about it; nothing said is `needs_approval`. */
  listed: PermissionStatus | undefined;
  tier: PermissionStatus;
  /** Somebody approved it for good. */
  override: Schemas["OverrideEntry"] | undefined;
}

export function reachOf(row: ToolRow): Reach {
  if (row.assignment) return row.assignment.allowed ? "assigned" : "denied";
  if (row.isNamed) return "named";
  if (row.isInCategory) return "category";
  return row.listed === undefined ? "none" : "listed";
}

export function isReached(row: ToolRow): boolean {
  return !["denied", "none"].includes(reachOf(row));
}

/** Every tool of the catalog, and what is said about tools that are not in it. By name. */
export function rowsOf(agent: Agent, catalog: readonly CatalogEntry[], permissions: Permissions, assignments: readonly Assignment[]): ToolRow[] {
  const entries = new Map(catalog.map((entry) => [entry.toolName, entry]));
  const assigned = new Map(assignments.map((one) => [one.tool, one]));
  const listed = new Map(permissions.tools.map((one) => [one.toolName, one.permissionStatus]));
  const overrides = new Map(permissions.overrides.map((one) => [one.toolName, one]));
  const names = new Set([...entries.keys(), ...assigned.keys(), ...agent.custom_tools, ...listed.keys()]);
  return [...names].sort().map((name) => {
    const entry = entries.get(name);
    const status = listed.get(name);
    return {
      name,
      entry,
      assignment: assigned.get(name),
      isNamed: agent.custom_tools.includes(name),
      isInCategory: entry !== undefined && agent.tool_groups.includes(entry.category),
      listed: status,
      tier: status ?? DEFAULT_TIER,
      override: overrides.get(name),
    };
  });
}

export function fitsWords(row: ToolRow, words: string | undefined): boolean {
  if (words === undefined) return true;
  const text = `${row.name} ${row.entry?.category ?? ""} ${row.entry?.description ?? ""}`.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
