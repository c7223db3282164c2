import type { Tool } from "@/api/queries";

import { ApprovalBadge, EgressBadge, LifecycleBadge, MissingSecretBadge, RiskBadge } from "./badges";

/** Whether calls of the tool wait for a person. A write always does: that it says so twice would only be noise. */
function asksFirst(tool: Pick<Tool, "egress_class" | "requires_approval" | "permission_policy">): boolean {
  return tool.requires_approval === true || tool.permission_policy === "always_ask" || tool.egress_class === "write";
}

/** What one wants to know of a tool before one opens it, the most important first. Low risk goes without saying. */
export function ToolBadges({ tool }: { tool: Tool }) {
  return (
    <>
      {tool.egress_class && <EgressBadge value={tool.egress_class} />}
      {tool.risk !== undefined && tool.risk !== "low" && <RiskBadge value={tool.risk} />}
      {asksFirst(tool) && <ApprovalBadge />}
      <MissingSecretBadge names={tool.missing_secrets ?? []} />
      {tool.lifecycle !== "active" && <LifecycleBadge value={tool.lifecycle} />}
    </>
  );
}
