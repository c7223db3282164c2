import { useQuery } from "@tanstack/react-query";

import type { Schemas } from "@/api/client";
import { settingsQuery } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { useMe } from "@/app/session";
import { cost } from "@/parts/time/format";
import { useNow } from "@/parts/time/Time";
import { useAgents } from "@/parts/people/agents";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { Meter } from "./Meter";
import { useT } from "./messages";
import { reportQuery } from "./queries";

/** How much of the tenant's budget and quota is used, where it has set one and the reader may know it. */
export function Limits() {
  const me = useMe();
  const { data: limits } = useQuery({ ...settingsQuery, enabled: me.may("policies.tenant.read") });
  if (!limits) return null;
  const { budget, agent_budget, agent_daily_calls } = limits;
  const bounds = [budget.daily, budget.monthly, agent_budget.daily, agent_budget.monthly, agent_daily_calls];
  return bounds.some((bound) => bound !== undefined && bound !== null) ? <Bounds limits={limits} /> : null;
}

function Bounds({ limits: { budget, agent_budget, agent_daily_calls } }: { limits: Schemas["TenantSettings"] }) {
  const t = useT();
  const language = useLanguage();
  const now = useNow();
  const today = new Date(now).toISOString().slice(0, 10);
  const [day, month] = [{ since: `${today}T00:00:00Z` }, { since: `${today.slice(0, 7)}-01T00:00:00Z` }];
  const { data: ofDay } = useQuery(reportQuery(day));
  const { data: ofMonth } = useQuery(reportQuery(month));
  const { data: agentsOfDay } = useQuery(reportQuery(day, "agent"));
  const { data: agentsOfMonth } = useQuery(reportQuery(month, "agent"));
  const { find } = useAgents();
  const money = (value: number) => cost(value, language);
  const plain = (value: number) => new Intl.NumberFormat(language).format(value);
  const [spentToday, spentInMonth] = [ofDay?.items[0]?.cost ?? 0, ofMonth?.items[0]?.cost ?? 0];
  /** The agent that is nearest to its bound stands for all. */
  const most = (items: { agent_id?: string | null; cost: number; calls?: number | null }[] | undefined, value: "cost" | "calls") =>
    [...(items ?? [])].filter(({ agent_id }) => agent_id).sort((a, b) => (b[value] ?? 0) - (a[value] ?? 0))[0];
  const [costly, costlyInMonth, busy] = [most(agentsOfDay?.items, "cost"), most(agentsOfMonth?.items, "cost"), most(agentsOfDay?.items, "calls")];
  const named = (item: { agent_id?: string | null } | undefined) => (item?.agent_id ? (find(item.agent_id)?.display_name ?? item.agent_id) : t("limits.nobody"));
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("limits")}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Meter label={t("limits.today")} used={spentToday} bound={budget.daily} show={money} />
        <Meter label={t("limits.month")} used={spentInMonth} bound={budget.monthly} show={money} />
        <Meter label={t("limits.agentToday", { agent: named(costly) })} used={costly?.cost ?? 0} bound={agent_budget.daily} show={money} />
        <Meter label={t("limits.agentMonth", { agent: named(costlyInMonth) })} used={costlyInMonth?.cost ?? 0} bound={agent_budget.monthly} show={money} />
        <Meter label={t("limits.agentCalls", { agent: named(busy) })} used={busy?.calls ?? 0} bound={agent_daily_calls} show={plain} />
      </CardContent>
    </Card>
  );
}
