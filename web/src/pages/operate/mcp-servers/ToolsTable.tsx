import { PackageOpen } from "lucide-react";
import { useState } from "react";

import { EgressBadge, RiskBadge } from "@/parts/badges/badges";
import { Empty } from "@/parts/states/states";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { Badge } from "@/ui/badge";

import { useT } from "./messages";
import type { McpServer, McpTool } from "./queries";
import { RuleDialog } from "./RuleDialog";
import { LockBadge } from "./states";

/** Everything that it offers or offered; a row opens the terms of that one tool. */
export function ToolsTable({ server, tools, mayChange }: { server: McpServer; tools: McpTool[]; mayChange: boolean }) {
  const t = useT();
  const [opened, setOpened] = useState<string>();
  const columns = useColumns();
  const open = tools.find(({ tool }) => tool === opened);
  return (
    <section aria-labelledby="tools-title" className="grid gap-2">
      <h2 id="tools-title" className="font-semibold">
        {t("all.title")}
      </h2>
      {tools.length === 0 ? (
        <Empty icon={PackageOpen} title={t("all.title")}>
          {t("all.empty")}
        </Empty>
      ) : (
        <DataTable label={t("all.title")} columns={columns} rows={tools} rowKey={({ tool }) => tool} onOpen={({ tool }) => setOpened(tool)} />
      )}
      {open && <RuleDialog key={open.tool} server={server} tool={open} mayChange={mayChange} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function useColumns(): Column<McpTool>[] {
  const t = useT();
  return [
    { id: "tool", header: t("all.column.tool"), width: "minmax(0,3fr)", phone: "title", cell: (tool) => <ToolCell tool={tool} /> },
    {
      id: "state",
      header: t("all.column.state"),
      width: "minmax(0,2fr)",
      phone: "title",
      cell: ({ state, enabled }) => (
        <span className="flex flex-wrap gap-1">
          <LockBadge state={state} />
          {!enabled && <Badge>{t("off")}</Badge>}
        </span>
      ),
    },
    { id: "egress", header: t("all.column.egress"), width: "minmax(0,7rem)", cell: (tool) => <EgressBadge value={tool.egress_class} /> },
    { id: "risk", header: t("all.column.risk"), width: "minmax(0,8rem)", phone: "hidden", cell: (tool) => <RiskBadge value={tool.risk} /> },
    { id: "version", header: t("all.column.version"), width: "4.5rem", align: "end", phone: "hidden", cell: (tool) => tool.version ?? "–" },
  ];
}

function ToolCell({ tool }: { tool: McpTool }) {
  const said = tool.problem ?? (tool.accepted ?? tool.pending)?.definition.description;
  return (
    <span className="block min-w-0">
      <span className="font-medium break-all">{tool.name}</span>
      {said && <span className="block truncate text-xs font-normal text-muted-foreground">{said}</span>}
    </span>
  );
}
