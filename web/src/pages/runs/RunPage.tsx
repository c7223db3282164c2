import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";

import { runQuery } from "@/api/queries";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Failed, Loading } from "@/parts/states/states";
import { useAgents } from "@/parts/people/agents";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { RunStatus } from "./list/columns";
import { useT } from "./messages";
import { Overview } from "./overview/Overview";
import { RunActions } from "./overview/RunActions";
import { TABS, type RunSearch, type Tab } from "./search";
import type { Run } from "./types";
import { useFollowRun } from "./useFollowRun";

const route = getRouteApi("/shell/runs/$id");
const Replay = lazy(() => import("./replay/Replay"));
const TraceView = lazy(() => import("./trace/TraceView"));
const Events = lazy(() => import("./events/Events"));

/** One run: what it was asked and answered, step by step, and where the time went. */
export function RunPage() {
  const t = useT();
  const { id } = route.useParams();
  const { data: run, error, refetch } = useQuery(runQuery(id));
  useFollowRun(run);
  const crumbs = [{ label: t("title"), path: "/runs" }];
  if (!run) {
    return (
      <Page title={t("run")} crumbs={crumbs}>
        {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    );
  }
  return <Shown run={run} crumbs={crumbs} />;
}

function Shown({ run, crumbs }: { run: Run; crumbs: { label: string; path: string }[] }) {
  const t = useT();
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  const name = useAgents().find(run.agent)?.display_name ?? run.agent ?? "";
  const title = name === "" ? t("run") : t("run.of", { agent: name });
  const heading = (
    <>
      {title}
      <RunStatus run={run} />
    </>
  );
  const show = (next: string) =>
    void navigate({ search: (old): RunSearch => compact({ ...old, tab: TABS.find((one) => one === next && one !== "overview"), step: undefined, span: undefined, show: undefined }), replace: true });
  const panels: Record<Tab, ReactNode> = {
    overview: <Overview run={run} />,
    replay: <Replay run={run} />,
    trace: <TraceView run={run} />,
    events: <Events run={run} />,
  };
  return (
    <Page title={title} heading={heading} crumbs={crumbs} actions={<RunActions run={run} />} lead={tab === "overview" ? undefined : <p className="line-clamp-2 break-words">{run.message}</p>}>
      <Tabs value={tab} onValueChange={show}>
        <TabsList aria-label={t("tabs")}>
          {TABS.map((one) => (
            <TabsTrigger key={one} value={one}>
              {t(`tab.${one}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        {TABS.map((one) => (
          <TabsContent key={one} value={one}>
            <Suspense fallback={<Loading />}>{panels[one]}</Suspense>
          </TabsContent>
        ))}
      </Tabs>
    </Page>
  );
}
