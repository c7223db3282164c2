import { getRouteApi } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";

import type { Pages } from "@/api/pages";
import type { Agent, Invocation } from "@/api/queries";
import { useMe } from "@/app/session";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";

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
  const nothing = (
    <Empty icon={CircleCheck} title={t("approvals.none.title")}>
      {t("approvals.none.text", { name: agent.display_name })}
    </Empty>
  );
  return (
    <div className="grid min-w-0 gap-3">
      {pending.rows.length > 0 && <p className="max-w-3xl text-sm text-muted-foreground">{t(me.may("approvals.tenant.decide") ? "approvals.text" : "approvals.look")}</p>}
      <PagedTable
        label={t("section.approvals")}
        columns={columns}
        pages={pending}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === invocation}
        onOpen={({ id }) => void navigate({ search: (old) => ({ ...old, invocation: id }) })}
        empty={nothing}
      />
    </div>
  );
}
