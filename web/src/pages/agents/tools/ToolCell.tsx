import type { Tool } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { ApprovalBadge, EgressBadge } from "@/parts/badges/badges";
import { ToolBadges } from "@/parts/badges/ToolBadges";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";
import type { ToolRow } from "./rows";

/** A tool by its name, what it is for, and what one must know before one gives it away. */
export function ToolCell({ row, tool }: { row: ToolRow; tool: Tool | undefined }) {
  const t = useT();
  return (
    <span className="block min-w-0 py-0.5">
      <PathLink path={`/tools/${encodeURIComponent(row.name)}`} tabIndex={-1} className="font-medium break-words hover:underline">
        {row.name}
      </PathLink>
      {row.entry && <span className="block truncate text-xs font-normal text-muted-foreground max-md:line-clamp-2 max-md:whitespace-normal">{row.entry.description}</span>}
      <span className="flex flex-wrap gap-1 pt-1">
        {tool ? (
          <ToolBadges tool={tool} />
        ) : row.entry ? (
          <>
            <EgressBadge value={row.entry.egressClass} />
            {(row.entry.requiresApproval || row.entry.egressClass === "write") && <ApprovalBadge />}
          </>
        ) : (
          <Badge tone="bad">{t("gone")}</Badge>
        )}
      </span>
    </span>
  );
}
