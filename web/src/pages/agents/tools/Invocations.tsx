import { getRouteApi } from "@tanstack/react-router";
import { ListTree, SearchX } from "lucide-react";

import type { Agent } from "@/api/queries";
import { useT as usePartsT } from "@/parts/messages";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { useNow } from "@/parts/time/Time";
import { Button } from "@/ui/button";

import { Choice } from "../Choice";
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
        <Choice label={t("column.status")} any={t("calls.anyStatus")} value={status} options={CALL_STATUSES.map((value) => ({ value, label: words(`status.${value}`) }))} onChange={(next) => change({ status: CALL_STATUSES.find((one) => one === next) })} />
        <Choice label={t("calls.since")} any={t("calls.anyTime")} value={since} options={SINCE.map((value) => ({ value, label: t(`since.${value}`) }))} onChange={(next) => change({ since: SINCE.find((one) => one === next) })} />
      </div>
      {calls.isLoading ? (
        <Loading />
      ) : calls.error && calls.rows.length === 0 ? (
        <Failed error={calls.error} onRetry={calls.retry} />
      ) : calls.rows.length === 0 ? (
        isAsked ? (
          <Empty icon={SearchX} title={t("calls.noMatch")} action={<Button variant="outline" onClick={() => change(NOTHING)}>{t("filters.clear")}</Button>}>
            {t("calls.noMatch.text")}
          </Empty>
        ) : (
          <Empty icon={ListTree} title={t("calls.none.title")}>
            {t("calls.none.text", { name: agent.display_name })}
          </Empty>
        )
      ) : (
        <DataTable
          label={t("section.invocations")}
          columns={columns}
          rows={calls.rows}
          rowKey={({ id }) => id}
          isCurrent={({ id }) => id === invocation}
          onOpen={({ id }) => void navigate({ search: (old) => ({ ...old, invocation: id }) })}
          hasMore={calls.hasMore}
          isLoadingMore={calls.isLoadingMore}
          onMore={calls.more}
          isStale={calls.isStale}
        />
      )}
    </div>
  );
}
