// The permissions of an agent are one list that is replaced whole. What is changed here is one line of it.
import type { Schemas } from "@/api/client";

import type { SetPermission } from "../mutations";
import type { Permissions, PermissionStatus } from "../queries";

export const TIERS: readonly PermissionStatus[] = ["always_allow", "needs_approval", "blocked"];
/** What holds where nothing is said. */
export const DEFAULT_TIER: PermissionStatus = "needs_approval";

type Entry = Schemas["ToolPermissionEntry"];

/**
 * The whole list with one line changed. An approval for good ends unless its tool is listed as `needs_approval`, so those are listed. But
 * to be listed is to be given: a tool that the agent does not have any more is not listed for the sake of an old approval.
 */
export function withPermission(now: Permissions, { tool, status, providerKey, given }: SetPermission): Entry[] {
  const old = now.tools.find(({ toolName }) => toolName === tool);
  const entries = now.tools.filter(({ toolName }) => toolName !== tool);
  if (status !== undefined) entries.push({ toolName: tool, permissionStatus: status, providerKey: old?.providerKey ?? providerKey ?? null });
  const listed = new Set(entries.map(({ toolName }) => toolName));
  for (const { toolName } of now.overrides) {
    if (toolName !== tool && !listed.has(toolName) && given.has(toolName)) entries.push({ toolName, permissionStatus: DEFAULT_TIER });
  }
  return entries;
}

export function tierOf(permissions: Permissions, tool: string): PermissionStatus | undefined {
  return permissions.tools.find(({ toolName }) => toolName === tool)?.permissionStatus;
}
