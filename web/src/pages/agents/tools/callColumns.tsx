import type { Invocation } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { ApprovalStatusBadge, CachedBadge, EgressBadge, StatusBadge, TestBadge } from "@/parts/badges/badges";
import type { Column } from "@/parts/table/DataTable";
import { cost, tookMs } from "@/parts/time/format";
import { Duration, RelativeTime } from "@/parts/time/Time";

import { useT } from "../messages";

/** The columns of calls; `pending` leaves out what a call that waits does not have yet. */
export function useCallColumns({ pending = false } = {}): Column<Invocation>[] {
  const t = useT();
  const language = useLanguage();
  const tool: Column<Invocation> = { id: "tool", header: t("column.tool"), width: "minmax(0,2fr)", phone: "title", cell: (call) => <CallCell call={call} /> };
  const at: Column<Invocation> = { id: "at", header: t("column.at"), width: "8rem", align: "end", cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted-foreground" /> };
  if (pending) {
    return [
      tool,
      { id: "egress", header: t("egress"), width: "7rem", cell: ({ egress_class }) => <EgressBadge value={egress_class} /> },
      { id: "expires", header: t("column.expires"), width: "9rem", cell: ({ approval_expires_at: until }) => <RelativeTime at={until} /> },
      { id: "agreed", header: t("column.agreed"), width: "7rem", cell: ({ approval }) => (approval ? t("agreed", { count: approval.votes.length, of: approval.quorum }) : t("agreed", { count: 0, of: 1 })) },
      at,
    ];
  }
  return [
    tool,
    { id: "status", header: t("column.status"), width: "7.5rem", cell: ({ status }) => <StatusBadge value={status} /> },
    { id: "approval", header: t("column.approval"), width: "11rem", phone: "hidden", cell: ({ approval_status }) => <ApprovalStatusBadge value={approval_status} /> },
    { id: "took", header: t("column.took"), width: "6rem", align: "end", phone: "hidden", cell: (call) => <Took call={call} /> },
    { id: "cost", header: t("column.cost"), width: "6rem", align: "end", phone: "hidden", cell: ({ cost_estimate: amount }) => (amount == null ? "–" : cost(amount, language)) },
    at,
  ];
}

function Took({ call }: { call: Invocation }) {
  const ms = tookMs(call.started_at, call.completed_at);
  return ms === undefined ? "–" : <Duration ms={ms} />;
}

function CallCell({ call }: { call: Invocation }) {
  const input = JSON.stringify(call.input);
  return (
    <span className="block min-w-0 py-0.5">
      <span className="flex flex-wrap items-center gap-1.5">
        <span className="font-medium break-words">{call.tool_name}</span>
        {call.cached && <CachedBadge />}
        {call.is_test && <TestBadge />}
      </span>
      {/* What went wrong says more than what was asked. */}
      {call.error ? (
        <span className="block truncate text-xs font-normal text-bad max-md:line-clamp-2 max-md:whitespace-normal">{call.error.message}</span>
      ) : (
        input !== "{}" && <code className="block truncate font-mono text-xs font-normal text-muted-foreground">{input.slice(0, 200)}</code>
      )}
    </span>
  );
}
