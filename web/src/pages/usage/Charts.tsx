import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useLanguage } from "@/app/i18n";
import { ChartSection } from "@/parts/sections/ChartSection";
import { Failed } from "@/parts/states/states";
import { Skeleton } from "@/ui/skeleton";

import { byDay, rounded, type UsageItem } from "./days";
import { useT } from "./messages";
import { reportQuery } from "./queries";
import type { UsageQuery } from "./search";

interface Series {
  name: string;
  value(item: UsageItem): number | null | undefined;
}

/** The same time, day by day. Each chart has its numbers as a table below it. */
export function Charts({ query }: { query: UsageQuery }) {
  const t = useT();
  const { data: report, error, refetch } = useQuery(reportQuery(query, "day"));
  const days = useMemo(() => (report ? byDay(report.items, report.from, report.to) : []), [report]);
  if (error && !report) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!report) return <Skeleton className="h-72" />;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <DayChart
        label={t("chart.calls")}
        kind="bar"
        days={days}
        series={[
          { name: t("calls"), value: ({ calls }) => calls ?? 0 },
          { name: t("errors"), value: ({ errors }) => errors ?? 0 },
        ]}
      />
      <DayChart
        label={t("chart.latency")}
        kind="line"
        days={days}
        series={[
          { name: t("p50"), value: ({ call_p50_ms }) => call_p50_ms },
          { name: t("p95"), value: ({ call_p95_ms }) => call_p95_ms },
        ]}
      />
      <DayChart
        label={t("chart.tokens")}
        kind="bar"
        days={days}
        series={[
          { name: t("tokensIn"), value: ({ input_tokens }) => input_tokens },
          { name: t("tokensOut"), value: ({ output_tokens }) => output_tokens },
        ]}
      />
      <DayChart label={t("chart.cost")} kind="bar" days={days} series={[{ name: t("costUsd"), value: ({ cost }) => rounded(cost) }]} />
    </div>
  );
}

function DayChart({ label, kind, days, series }: { label: string; kind: "bar" | "line"; days: { day: string; item: UsageItem | undefined }[]; series: Series[] }) {
  const t = useT();
  const language = useLanguage();
  const day = t("day");
  const short = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
  const rows = days.map(({ day: at, item }) => ({
    [day]: short.format(new Date(`${at}T00:00:00Z`)),
    // A day without calls has no latency, and none of anything else: a gap and a zero.
    ...Object.fromEntries(series.map(({ name, value }) => [name, item ? (value(item) ?? null) : kind === "line" ? null : 0])),
  }));
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-sm font-semibold">{label}</h2>
      <ChartSection rows={rows} label={label} kind="chart" config={{ kind, x: day, y: series.map(({ name }) => name) }} />
    </section>
  );
}
