import type { Agent } from "@/api/queries";
import { notify } from "@/app/notify";
import { useT as usePartsT } from "@/parts/messages";

import { useT } from "../messages";
import { useAssign, usePatchAgent, useRevokeOverride, useSetPermission, useUnassign } from "../mutations";
import type { PermissionStatus } from "../queries";
import type { ToolRow } from "./rows";

/** What can be done to one tool of an agent. Each says what happened, and takes it back where the API can. */
export function useToolChanges(agent: Agent, given: ReadonlySet<string>) {
  const t = useT();
  const words = usePartsT();
  const assign = useAssign(agent.id);
  const unassign = useUnassign(agent.id);
  const permit = useSetPermission(agent.id);
  const patch = usePatchAgent(agent.id);
  const askAgain = useRevokeOverride(agent.id);
  const name = agent.display_name;

  const setTier = (row: ToolRow, status: PermissionStatus) => {
    if (status === row.tier) return;
    const change = { tool: row.name, providerKey: row.entry?.providerKey, given };
    const detail = row.override && row.tier === "needs_approval" ? t("tier.overrideEnded") : undefined;
    const undo = () => permit.mutate({ ...change, status: row.listed }, { onSuccess: () => notify.done(t("undone")) });
    permit.mutate({ ...change, status }, { onSuccess: () => notify.done(t("tier.set", { tool: row.name, tier: words(`permission.${status}`) }), { undo, detail }) });
  };
  /** Assigns, or says the same with another profile or another answer. */
  const put = (row: ToolRow, next: { profile?: string | null; allowed?: boolean }, message: string) => {
    const { assignment: old } = row;
    const body = { tool: row.name, profile: next.profile === undefined ? old?.profile_id : next.profile, allowed: next.allowed ?? old?.allowed ?? true };
    const restore = () =>
      old
        ? assign.mutateAsync({ tool: row.name, profile: old.profile_id, allowed: old.allowed })
        : unassign.mutateAsync(row.name);
    assign.mutate(body, { onSuccess: () => notify.done(message, { undo: () => void restore().then(() => notify.done(t("undone")), () => undefined) }) });
  };
  /** All that gives the tool to the agent goes, but for its category: that is said in the settings. */
  const takeAway = async (row: ToolRow) => {
    const { assignment, listed, isNamed, isInCategory } = row;
    const without = { custom_tools: agent.custom_tools.filter((one) => one !== row.name) };
    const dropsEntry = listed !== undefined && !isInCategory;
    if (assignment) await unassign.mutateAsync(row.name);
    if (isNamed) await patch.mutateAsync(without);
    // A tool of which something is said counts as given.
    if (dropsEntry) await permit.mutateAsync({ tool: row.name, status: undefined, given });
    const undo = async () => {
      if (dropsEntry) await permit.mutateAsync({ tool: row.name, status: listed, given });
      if (isNamed) await patch.mutateAsync({ custom_tools: agent.custom_tools });
      if (assignment) await assign.mutateAsync({ tool: row.name, profile: assignment.profile_id, allowed: assignment.allowed });
      notify.done(t("undone"));
    };
    const message = assignment?.allowed === false ? "undenied" : "revoked";
    notify.done(t(message, { tool: row.name, name }), { undo: () => void undo().catch(() => undefined), detail: isInCategory && message === "revoked" ? t("revoked.category", { category: row.entry?.category ?? "" }) : undefined });
  };
  return {
    setTier,
    /** What the tier will be, while it is on its way. */
    tierOf: (row: ToolRow) => (permit.isPending && permit.variables.tool === row.name ? (permit.variables.status ?? row.tier) : row.tier),
    give: (row: ToolRow) => put(row, { allowed: true }, t("given", { tool: row.name, name })),
    deny: (row: ToolRow) => put(row, { allowed: false }, t("denied", { tool: row.name, name })),
    allow: (row: ToolRow) => put(row, { allowed: true }, t("given", { tool: row.name, name })),
    setProfile: (row: ToolRow, profile: string | null, label: string) => put(row, { profile }, t("profile.set", { tool: row.name, profile: label })),
    // A refusal has been told by then.
    takeAway: (row: ToolRow) => void takeAway(row).catch(() => undefined),
    askAgain: (row: ToolRow) => askAgain.mutate(row.name, { onSuccess: () => notify.done(t("override.ended", { tool: row.name })) }),
  };
}

export type ToolChanges = ReturnType<typeof useToolChanges>;
