import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";

import type { Agent } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { Failed, Loading } from "@/parts/states/states";
import { cost } from "@/parts/time/format";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { Skeleton } from "@/ui/skeleton";

import { useT } from "../messages";
import { usageQuery } from "../queries";
import { daysOf, totalsOf } from "./usage";

const UsageChart = lazy(() => import("./UsageChart"));

export function UsageCard({ agent }: { agent: Agent }) {
  const t = useT();
  const language = useLanguage();
  const { data: usage, error, refetch } = useQuery(usageQuery(agent.id));
  const number = (value: number) => new Intl.NumberFormat(language, { notation: value >= 100_000 ? "compact" : "standard" }).format(value);
  const totals = usage && totalsOf(usage.items);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("usage")}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : !totals ? (
          <Loading />
        ) : (
          <>
            <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
              <Total name={t("usage.calls")} value={number(totals.calls)} />
              <Total name={t("usage.errors")} value={number(totals.errors)} />
              <Total name={t("usage.tokens")} value={number(totals.tokens)} />
              <Total name={t("usage.cost")} value={cost(totals.cost, language)} />
            </dl>
            {totals.calls > 0 && (
              // The totals above say it in words.
              <div aria-hidden className="h-36 min-w-0">
                <Suspense fallback={<Skeleton className="h-full" />}>
                  <UsageChart days={daysOf(usage.items, usage.from, usage.to)} />
                </Suspense>
              </div>
            )}
          </>
        )}
      </CardContent>
    </Card>
  );
}

function Total({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
