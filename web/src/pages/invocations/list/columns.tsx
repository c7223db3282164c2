import type { Column } from "@/parts/table/DataTable";
import { useLanguage } from "@/app/i18n";
import { CachedBadge, EgressBadge, StatusBadge, TestBadge } from "@/parts/badges/badges";
import { Principal } from "@/parts/people/Principal";
import { cost } from "@/parts/time/format";
import { Duration, RelativeTime } from "@/parts/time/Time";

import { useT } from "../messages";
import type { CallRow } from "./rows";

export function useColumns(): Column<CallRow>[] {
  const t = useT();
  const language = useLanguage();
  return [
    { id: "status", header: t("column.status"), width: "8rem", phone: "title", cell: (row) => <StatusCell row={row} /> },
    { id: "tool", header: t("column.tool"), width: "minmax(0,3fr)", phone: "title", cell: (row) => <ToolCell row={row} /> },
    { id: "egress", header: t("column.egress"), width: "6.5rem", phone: "hidden", cell: (row) => <EgressBadge value={row.egress} /> },
    { id: "caller", header: t("column.caller"), width: "minmax(0,1.4fr)", cell: (row) => <Principal id={row.agent ?? row.caller} className="block truncate" /> },
    { id: "created", header: t("column.created"), width: "7rem", align: "end", cell: (row) => <RelativeTime at={row.createdAt} className="text-muted-foreground" /> },
    { id: "duration", header: t("column.duration"), width: "5.5rem", align: "end", phone: "hidden", cell: (row) => (row.durationMs === undefined ? "–" : <Duration ms={row.durationMs} />) },
    { id: "cost", header: t("column.cost"), width: "5.5rem", align: "end", phone: "hidden", cell: (row) => (row.cost === undefined ? "–" : cost(row.cost, language)) },
  ];
}

function StatusCell({ row }: { row: CallRow }) {
  return (
    <span className="flex flex-wrap gap-1">
      <StatusBadge value={row.status} />
      {row.isCached && <CachedBadge />}
      {row.isTest && <TestBadge />}
    </span>
  );
}

function ToolCell({ row }: { row: CallRow }) {
  return (
    <span className="block min-w-0">
      <span className="font-medium">{row.tool}</span>
      {row.error !== undefined && <code className="ml-2 rounded-sm bg-bad-soft px-1 font-mono text-xs text-bad">{row.error}</code>}
      <code className="block truncate font-mono text-xs font-normal text-muted-foreground">{row.input}</code>
    </span>
  );
}
