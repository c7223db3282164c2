import { getRouteApi } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";

import type { Pages } from "@/api/pages";
import type { Agent, Invocation } from "@/api/queries";
import { useMe } from "@/app/session";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";

import { useT } from "../messages";
import { useCallColumns } from "./callColumns";

const route = getRouteApi("/shell/agents/$id");

/** The calls of this agent that wait for a person. A row opens the call, where it is decided. */
export function Approvals({ agent, pending }: { agent: Agent; pending: Pages<Invocation> }) {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { invocation } = route.useSearch();
  const columns = useCallColumns({ pending: true });
  if (pending.isLoading) return <Loading />;
  if (pending.error && pending.rows.length === 0) return <Failed error={pending.error} onRetry={pending.retry} />;
  if (pending.rows.length === 0) {
    return (
      <Empty icon={CircleCheck} title={t("approvals.none.title")}>
        {t("approvals.none.text", { name: agent.display_name })}
      </Empty>
    );
  }
  return (
    <div className="grid min-w-0 gap-3">
      <p className="max-w-3xl text-sm text-muted-foreground">{t(me.may("approvals.tenant.decide") ? "approvals.text" : "approvals.look")}</p>
      <DataTable
        label={t("section.approvals")}
        columns={columns}
        rows={pending.rows}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === invocation}
        onOpen={({ id }) => void navigate({ search: (old) => ({ ...old, invocation: id }) })}
        hasMore={pending.hasMore}
        isLoadingMore={pending.isLoadingMore}
        onMore={pending.more}
        isStale={pending.isStale}
      />
    </div>
  );
}
