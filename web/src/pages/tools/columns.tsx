import type { Tool } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { ToolBadges } from "@/parts/badges/ToolBadges";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { cn } from "@/ui/cn";

import { useT } from "./messages";
import { useKindName } from "./useKindName";

export const pathOf = (tool: Tool) => `/tools/${encodeURIComponent(tool.name)}`;

export function useColumns(): Column<Tool>[] {
  const t = useT();
  const kindName = useKindName();
  return [
    { id: "tool", header: t("column.tool"), width: "minmax(0,3fr)", phone: "title", cell: (tool) => <ToolCell tool={tool} /> },
    { id: "category", header: t("column.category"), width: "minmax(0,7rem)", phone: "hidden", cell: (tool) => <span className="block truncate">{tool.category}</span> },
    { id: "kind", header: t("column.kind"), width: "minmax(0,8rem)", phone: "hidden", cell: (tool) => <span className="block truncate">{kindName(tool.execution?.kind ?? "")}</span> },
    {
      id: "properties",
      header: t("column.properties"),
      width: "minmax(0,2fr)",
      phone: "title",
      cell: (tool) => (
        <span className="flex flex-wrap gap-1">
          <ToolBadges tool={tool} />
        </span>
      ),
    },
    { id: "version", header: t("column.version"), width: "4.5rem", align: "end", phone: "hidden", cell: (tool) => tool.version },
    { id: "changed", header: t("column.changed"), width: "7rem", align: "end", phone: "hidden", cell: (tool) => <RelativeTime at={tool.updated_at} className="text-muted-foreground" /> },
  ];
}

function ToolCell({ tool }: { tool: Tool }) {
  return (
    <span className="block min-w-0">
      <PathLink path={pathOf(tool)} tabIndex={-1} className={cn("font-medium hover:underline", tool.deprecated && "text-muted-foreground line-through")}>
        {tool.name}
      </PathLink>
      <span className="block truncate text-xs font-normal text-muted-foreground max-md:line-clamp-2 max-md:whitespace-normal">{tool.description}</span>
    </span>
  );
}
