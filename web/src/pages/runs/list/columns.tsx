import { Hourglass } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { PathLink } from "@/app/PathLink";
import { StatusBadge } from "@/parts/badges/badges";
import type { Column } from "@/parts/table/DataTable";
import { cost } from "@/parts/time/format";
import { Duration, RelativeTime, useNow } from "@/parts/time/Time";
import { useAgents } from "@/parts/people/agents";
import { Principal } from "@/parts/people/Principal";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";
import { isOver, lastedMs, type Run } from "../types";

export const pathOf = (run: Pick<Run, "id">) => `/runs/${run.id}`;

export function useColumns(): Column<Run>[] {
  const t = useT();
  const language = useLanguage();
  const agents = useAgents();
  return [
    { id: "message", header: t("column.message"), width: "minmax(0,5fr)", phone: "title", cell: (run) => <MessageCell run={run} /> },
    { id: "status", header: t("column.status"), width: "minmax(7rem,2fr)", phone: "title", cell: (run) => <RunStatus run={run} /> },
    { id: "agent", header: t("column.agent"), width: "minmax(0,1.5fr)", cell: (run) => <span className="block truncate">{agents.find(run.agent)?.display_name ?? run.agent}</span> },
    { id: "caller", header: t("column.caller"), width: "minmax(0,1.5fr)", phone: "hidden", cell: (run) => <Principal id={run.caller} className="block truncate text-muted-foreground" /> },
    { id: "lasted", header: t("column.lasted"), width: "5rem", align: "end", cell: (run) => <Lasted run={run} /> },
    { id: "cost", header: t("column.cost"), width: "4.5rem", align: "end", phone: "hidden", cell: (run) => (run.cost ? cost(run.cost, language) : "–") },
    { id: "began", header: t("column.began"), width: "6.5rem", align: "end", cell: (run) => <RelativeTime at={run.created_at} className="text-muted-foreground" /> },
  ];
}

/** A run whose calls wait runs itself: it says so beside its status. */
export function RunStatus({ run }: { run: Run }) {
  const t = useT();
  const waits = run.status === "running" && run.waiting_for.length > 0;
  return (
    <span className="flex flex-wrap gap-1">
      <StatusBadge value={run.status} />
      {waits && (
        <Badge tone="warn">
          <Hourglass aria-hidden />
          {t("waits")}
        </Badge>
      )}
    </span>
  );
}

function MessageCell({ run }: { run: Run }) {
  const t = useT();
  return (
    <PathLink path={pathOf(run)} tabIndex={-1} className="block truncate font-medium hover:underline max-md:line-clamp-2 max-md:whitespace-normal">
      {run.message ?? t("noMessage")}
    </PathLink>
  );
}

function Lasted({ run }: { run: Run }) {
  const now = useNow();
  return <Duration ms={lastedMs(run, now)} className={isOver(run) ? "" : "text-info"} />;
}
