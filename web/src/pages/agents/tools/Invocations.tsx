import { getRouteApi } from "@tanstack/react-router";
import { ListTree } from "lucide-react";

import type { Agent } from "@/api/queries";
import { Choice } from "@/parts/filters/Choice";
import { NoMatch } from "@/parts/filters/NoMatch";
import { useT as usePartsT } from "@/parts/messages";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
import { useNow } from "@/parts/time/Time";

import { useT } from "../messages";
import { useCalls } from "../queries";
import { CALL_STATUSES, SINCE, type AgentSearch } from "../search";
import { useCallColumns } from "./callColumns";

const route = getRouteApi("/shell/agents/$id");
const AGO_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const AGO_STEP_MS = 600_000;
const NOTHING = { status: undefined, tool: undefined, since: undefined };

/** Every call of this agent, the newest first. A row opens the call's drawer. */
export function Invocations({ agent }: { agent: Agent }) {
  const t = useT();
  const words = usePartsT();
  const navigate = route.useNavigate();
  const { status, tool, since, invocation } = route.useSearch();
  // To ten minutes, so that the question stays the same while one looks.
  const now = Math.floor(useNow() / AGO_STEP_MS) * AGO_STEP_MS;
  const from = since === undefined ? undefined : new Date(now - AGO_MS[since]).toISOString();
  const calls = useCalls(agent.id, { status, tool, since: from });
  const columns = useCallColumns();
  const change = (next: Partial<AgentSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const isAsked = status !== undefined || tool !== undefined || since !== undefined;
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t("calls.tool")} value={tool ?? ""} onChange={(next) => change({ tool: next })} className="min-w-0 flex-1 basis-full sm:max-w-72 sm:basis-56" />
        <Choice label={t("column.status")} any={t("calls.anyStatus")} value={status} options={CALL_STATUSES.map((value) => ({ value, label: words(`status.${value}`) }))} onChange={(next) => change({ status: next })} />
        <Choice label={t("calls.since")} any={t("calls.anyTime")} value={since} options={SINCE.map((value) => ({ value, label: t(`since.${value}`) }))} onChange={(next) => change({ since: next })} />
      </div>
      <PagedTable
        label={t("section.invocations")}
        columns={columns}
        pages={calls}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === invocation}
        onOpen={({ id }) => void navigate({ search: (old) => ({ ...old, invocation: id }) })}
        empty={
          isAsked ? (
            <NoMatch title={t("calls.noMatch")} onClear={() => change(NOTHING)}>
              {t("calls.noMatch.text")}
            </NoMatch>
          ) : (
            <Empty icon={ListTree} title={t("calls.none.title")}>
              {t("calls.none.text", { name: agent.display_name })}
            </Empty>
          )
        }
      />
    </div>
  );
}
