import { getRouteApi, useRouter } from "@tanstack/react-router";
import { Route, SearchX } from "lucide-react";
import { useState } from "react";

import { useMe } from "@/app/session";
import { DateRange } from "@/parts/dates/DateRange";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { useAgents } from "@/parts/people/agents";
import { Button } from "@/ui/button";
import { NativeSelect } from "@/ui/native-select";
import { Skeleton } from "@/ui/skeleton";

import { useT } from "../messages";
import { useRuns } from "../queries";
import { STATUSES, type RunsSearch } from "../search";
import { pathOf, useColumns } from "./columns";
import { StartRun } from "./StartRun";
import { useNewRuns } from "./useNewRuns";

const route = getRouteApi("/shell/runs");

export function RunsPage() {
  const t = useT();
  const me = useMe();
  const router = useRouter();
  const navigate = route.useNavigate();
  const { agent, status, since, until } = route.useSearch();
  const filters: RunsSearch = { agent, status, since, until };
  const runs = useRuns(filters);
  useNewRuns();
  const columns = useColumns();
  const agents = useAgents();
  const [isStarting, setIsStarting] = useState(false);
  const change = (next: Partial<RunsSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const clear = () => change({ agent: undefined, status: undefined, since: undefined, until: undefined });
  const isAsked = Object.values(filters).some((value) => value !== undefined);
  const mayStart = me.may("tools.tenant.execute");
  const startButton = <Button onClick={() => setIsStarting(true)}>{t("start")}</Button>;
  const handles = agents.list.filter(({ status: state }) => state !== "archived").map(({ handle, display_name }) => ({ handle, display_name }));
  const known = agent === undefined || handles.some(({ handle }) => handle === agent) ? handles : [...handles, { handle: agent, display_name: agents.find(agent)?.display_name ?? agent }];
  return (
    <Page title={t("title")} lead={t("lead")} actions={mayStart ? startButton : undefined}>
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        <NativeSelect aria-label={t("agent")} className="max-w-52" value={agent ?? ""} onChange={(event) => change({ agent: event.target.value || undefined })}>
          <option value="">{t("agent.any")}</option>
          {known.map(({ handle, display_name }) => (
            <option key={handle} value={handle}>
              {display_name}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect aria-label={t("status")} value={status ?? ""} onChange={(event) => change({ status: STATUSES.find((one) => one === event.target.value) })}>
          <option value="">{t("status.any")}</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {t(`status.${one}`)}
            </option>
          ))}
        </NativeSelect>
        <DateRange range={{ since, until }} onChange={change} zone="local" />
        {isAsked && (
          <Button variant="ghost" onClick={clear}>
            {t("filters.clear")}
          </Button>
        )}
      </div>
      {runs.isLoading ? (
        <Loading className="gap-1.5">
          {Array.from({ length: 10 }, (_, index) => (
            <Skeleton key={index} className="h-9" />
          ))}
        </Loading>
      ) : runs.error && runs.rows.length === 0 ? (
        <Failed error={runs.error} onRetry={runs.retry} />
      ) : runs.rows.length === 0 ? (
        <NoRuns isAsked={isAsked} onClear={clear} start={mayStart ? startButton : undefined} />
      ) : (
        <DataTable
          label={t("title")}
          columns={columns}
          rows={runs.rows}
          rowKey={(run) => run.id}
          onOpen={(run) => router.history.push(pathOf(run))}
          hasMore={runs.hasMore}
          isLoadingMore={runs.isLoadingMore}
          onMore={runs.more}
          isStale={runs.isStale}
        />
      )}
      <StartRun open={isStarting} onOpenChange={setIsStarting} agent={agent} />
    </Page>
  );
}

function NoRuns({ isAsked, onClear, start }: { isAsked: boolean; onClear(): void; start: React.ReactNode }) {
  const t = useT();
  if (isAsked) {
    return (
      <Empty icon={SearchX} title={t("noMatch.title")} action={<Button variant="outline" onClick={onClear}>{t("filters.clear")}</Button>}>
        {t("noMatch.text")}
      </Empty>
    );
  }
  return (
    <Empty icon={Route} title={t("none.title")} action={start}>
      <p>{t("none.text")}</p>
      <p className="pt-2">
        <code>toolgate run start researcher &quot;…&quot; --follow</code>
      </p>
    </Empty>
  );
}
