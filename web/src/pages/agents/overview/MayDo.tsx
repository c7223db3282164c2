import { Link } from "@tanstack/react-router";

import type { Agent } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { PermissionBadge } from "@/parts/badges/badges";
import { Fact, FactList } from "@/parts/facts/FactList";
import { Failed, Loading } from "@/parts/states/states";
import { cost } from "@/parts/time/format";
import { buttonVariants } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import { TIERS } from "../tools/permissions";
import { isReached } from "../tools/rows";
import { useToolRows } from "../tools/useToolRows";

/** How many tools it has, by what happens when it calls them, and what bounds its runs. */
export function MayDo({ agent }: { agent: Agent }) {
  const t = useT();
  const { rows: all, error, retry } = useToolRows(agent);
  const rows = all?.filter(isReached);
  return (
    <Card>
      <CardHeader>
        <CardTitle className="mr-auto">{t("mayDo")}</CardTitle>
        <Link to="/agents/$id" params={{ id: agent.id }} search={{ tab: "tools", section: "assignments" }} className={cn(buttonVariants({ variant: "link", size: "inline" }), "text-sm max-md:-my-3 max-md:min-h-11")}>
          {t("mayDo.tools")}
        </Link>
      </CardHeader>
      <CardContent className="grid gap-4">
        {error ? (
          <Failed error={error} onRetry={retry} />
        ) : !rows ? (
          <Loading />
        ) : rows.length === 0 ? (
          <p className="text-sm">{t("mayDo.nothing")}</p>
        ) : (
          <ul className="grid gap-2">
            {TIERS.map((tier) => {
              const count = rows.filter((row) => row.tier === tier).length;
              return count === 0 ? null : (
                <li key={tier} className="flex flex-wrap items-center gap-2 text-sm">
                  <PermissionBadge value={tier} />
                  <span>{t("mayDo.count", { count })}</span>
                </li>
              );
            })}
          </ul>
        )}
        <Limits agent={agent} />
      </CardContent>
    </Card>
  );
}

function Limits({ agent: { guard, actions } }: { agent: Agent }) {
  const t = useT();
  const language = useLanguage();
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const limits = [
    guard.max_budget != null && { name: t("maxBudget"), value: cost(guard.max_budget, language) },
    guard.max_tool_calls != null && { name: t("maxToolCalls"), value: number(guard.max_tool_calls) },
    guard.max_iterations != null && { name: t("maxIterations"), value: number(guard.max_iterations) },
    guard.side_effects != null && { name: t("sideEffects"), value: t(`sideEffects.${guard.side_effects}`) },
    guard.enabled_tools != null && { name: t("enabledTools"), value: guard.enabled_tools.join(", ") || t("list.none") },
    actions?.allowed != null && { name: t("actions.allowed"), value: actions.allowed.join(", ") || t("list.none") },
    (actions?.blocked?.length ?? 0) > 0 && { name: t("actions.blocked"), value: actions?.blocked?.join(", ") ?? "" },
    ...Object.entries(actions?.daily_quota ?? {}).map(([action, count]) => ({ name: action === "*" ? t("quota.all") : t("quota.of", { action }), value: t("quota.day", { count }) })),
  ].filter((one) => one !== false);
  if (limits.length === 0) return <p className="text-sm text-muted-foreground">{t("limits.none")}</p>;
  return (
    <FactList className="border-t pt-3 max-sm:grid-cols-1">
      {limits.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </FactList>
  );
}
