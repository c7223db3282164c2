import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChartColumn, X } from "lucide-react";
import { useMemo } from "react";

import { PathLink } from "@/app/PathLink";
import { DateRange } from "@/parts/dates/DateRange";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { useNow } from "@/parts/time/Time";
import { useAgents } from "@/parts/people/agents";
import { Button, buttonVariants } from "@/ui/button";

import { Breakdown } from "./Breakdown";
import { Charts } from "./Charts";
import { Deprecated } from "./Deprecated";
import { Limits } from "./Limits";
import { useT } from "./messages";
import { reportQuery } from "./queries";
import { FALLBACK_DAYS, toQuery, type UsageQuery, type UsageSearch } from "./search";
import { Totals } from "./Totals";

const route = getRouteApi("/shell/operate/usage");
const HOUR_MS = 3_600_000;

/** What was called, how well, how fast and for how much. */
export function UsagePage() {
  const t = useT();
  const { since, until, by = "tool", agent, tool } = route.useSearch();
  const navigate = route.useNavigate();
  // The first day moves at midnight, not with every tick of the clock.
  const hour = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const query = useMemo(() => toQuery({ since, until, agent, tool }, hour), [since, until, agent, tool, hour]);
  const change = (next: Partial<UsageSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        <DateRange range={{ since, until }} onChange={change} zone="utc" fallbackDays={FALLBACK_DAYS} />
        <Chips agent={agent} tool={tool} onChange={change} />
      </div>
      <Report query={query} by={by} onChange={change} />
    </Page>
  );
}

function Report({ query, by, onChange }: { query: UsageQuery; by: NonNullable<UsageSearch["by"]>; onChange(next: Partial<UsageSearch>): void }) {
  const t = useT();
  const { data: report, error, refetch, isPlaceholderData } = useQuery(reportQuery(query));
  if (error && !report) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!report) return <Loading />;
  const total = report.items[0];
  const isEmpty = !total || ((total.calls ?? 0) === 0 && total.model_calls === 0);
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? "flex flex-col gap-6 opacity-60" : "flex flex-col gap-6"}>
      {isEmpty ? (
        <Empty
          icon={ChartColumn}
          title={t("none.title")}
          action={
            <PathLink path="/tools" className={buttonVariants({ variant: "outline" })}>
              {t("none.action")}
            </PathLink>
          }
        >
          {t("none.text")}
        </Empty>
      ) : (
        <>
          <Totals total={total} />
          <Limits />
          <Charts query={query} />
          <Breakdown query={query} by={by} onChange={onChange} />
        </>
      )}
      <Deprecated since={query.since} />
    </div>
  );
}

/** What the report is narrowed to; a click widens it again. */
function Chips({ agent, tool, onChange }: Pick<UsageSearch, "agent" | "tool"> & { onChange(next: Partial<UsageSearch>): void }) {
  const t = useT();
  const name = useAgents().find(agent)?.display_name ?? agent;
  return (
    <>
      {tool !== undefined && <Chip label={t("only.tool", { tool })} onClear={() => onChange({ tool: undefined })} />}
      {agent !== undefined && <Chip label={t("only.agent", { agent: name ?? "" })} onClear={() => onChange({ agent: undefined })} />}
    </>
  );
}

function Chip({ label, onClear }: { label: string; onClear(): void }) {
  const t = useT();
  return (
    <Button variant="secondary" size="sm" aria-label={`${t("widen")}: ${label}`} onClick={onClear}>
      {label}
      <X aria-hidden />
    </Button>
  );
}
