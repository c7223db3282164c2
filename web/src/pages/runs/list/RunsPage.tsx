import { getRouteApi, useRouter } from "@tanstack/react-router";
import { Route } from "lucide-react";
import { useState, type ReactNode } from "react";

import { living } from "@/api/every";
import { useMe } from "@/app/session";
import { DateRange } from "@/parts/dates/DateRange";
import { Choice } from "@/parts/filters/Choice";
import { ClearFilters } from "@/parts/filters/ClearFilters";
import { NoMatch } from "@/parts/filters/NoMatch";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty } from "@/parts/states/states";
import { useAgents } from "@/parts/people/agents";
import { PagedTable } from "@/parts/table/PagedTable";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { useRuns } from "../queries";
import { STATUSES, type RunsSearch } from "../search";
import { pathOf, useColumns } from "./columns";
import { StartRun } from "./StartRun";

const route = getRouteApi("/shell/runs");

export function RunsPage() {
  const t = useT();
  const me = useMe();
  const router = useRouter();
  const navigate = route.useNavigate();
  const { agent, status, since, until } = route.useSearch();
  const filters: RunsSearch = { agent, status, since, until };
  const runs = useRuns(filters);
  const columns = useColumns();
  const agents = useAgents();
  const [isStarting, setIsStarting] = useState(false);
  const change = (next: Partial<RunsSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const clear = () => change({ agent: undefined, status: undefined, since: undefined, until: undefined });
  const isAsked = Object.values(filters).some((value) => value !== undefined);
  const mayStart = me.may("tools.tenant.execute");
  const startButton = <Button onClick={() => setIsStarting(true)}>{t("start")}</Button>;
  const named = living(agents.list).map(({ handle, display_name }) => ({ value: handle, label: display_name }));
  // The address may name one that was archived since.
  const choices = agent === undefined || named.some(({ value }) => value === agent) ? named : [...named, { value: agent, label: agents.find(agent)?.display_name ?? agent }];
  return (
    <Page title={t("title")} lead={t("lead")} actions={mayStart ? startButton : undefined}>
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        <Choice label={t("agent")} any={t("agent.any")} value={agent} options={choices} onChange={(next) => change({ agent: next })} />
        <Choice label={t("status")} any={t("status.any")} value={status} options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))} onChange={(next) => change({ status: next })} />
        <DateRange range={{ since, until }} onChange={change} zone="local" />
        {isAsked && <ClearFilters onClear={clear} />}
      </div>
      <PagedTable
        label={t("title")}
        columns={columns}
        pages={runs}
        rowKey={({ id }) => id}
        onOpen={(run) => router.history.push(pathOf(run))}
        empty={isAsked ? <NoMatch title={t("noMatch.title")} onClear={clear}>{t("noMatch.text")}</NoMatch> : <NoRuns start={mayStart ? startButton : undefined} />}
      />
      <StartRun open={isStarting} onOpenChange={setIsStarting} agent={agent} />
    </Page>
  );
}

function NoRuns({ start }: { start: ReactNode }) {
  const t = useT();
  return (
    <Empty icon={Route} title={t("none.title")} action={start}>
      <p>{t("none.text")}</p>
      <p className="pt-2">
        <code>toolgate run start researcher &quot;…&quot; --follow</code>
      </p>
    </Empty>
  );
}
