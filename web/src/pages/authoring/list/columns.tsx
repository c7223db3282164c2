import { Link } from "@tanstack/react-router";

import type { Tool } from "@/api/queries";
import { KindIcon } from "@/pages/tools/kinds";
import { useKindName } from "@/pages/tools/useKindName";
import { OriginBadge } from "@/parts/badges/badges";
import { ToolBadges } from "@/parts/badges/ToolBadges";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";

export function useColumns(drafts: readonly string[]): Column<Tool>[] {
  const t = useT();
  const kindName = useKindName();
  return [
    {
      id: "tool",
      header: t("column.tool"),
      width: "minmax(0,3fr)",
      phone: "title",
      cell: (tool) => (
        <span className="block min-w-0">
          <span className="flex min-w-0 items-center gap-2">
            <KindIcon kind={tool.execution?.kind} className="size-4 shrink-0 text-muted-foreground" />
            <Link to="/admin/tools/$name" params={{ name: tool.name }} tabIndex={-1} className="truncate font-medium hover:underline">
              {tool.name}
            </Link>
            {drafts.includes(tool.name) && <Badge tone="warn">{t("list.unsaved")}</Badge>}
          </span>
          <span className="block truncate text-xs font-normal text-muted-foreground max-md:line-clamp-2 max-md:whitespace-normal">{tool.description}</span>
        </span>
      ),
    },
    { id: "kind", header: t("column.kind"), width: "minmax(0,8rem)", phone: "hidden", cell: (tool) => <span className="block truncate">{kindName(tool.execution?.kind ?? "")}</span> },
    {
      id: "properties",
      header: t("column.properties"),
      width: "minmax(0,2fr)",
      phone: "title",
      cell: (tool) => (
        <span className="flex flex-wrap gap-1">
          {tool.kind === "system_override" && <OriginBadge value={tool.kind} />}
          <ToolBadges tool={tool} />
        </span>
      ),
    },
    { id: "version", header: t("column.version"), width: "4.5rem", align: "end", phone: "hidden", cell: (tool) => tool.version },
    { id: "changed", header: t("column.changed"), width: "7rem", align: "end", phone: "hidden", cell: (tool) => <RelativeTime at={tool.updated_at} className="text-muted-foreground" /> },
  ];
}
