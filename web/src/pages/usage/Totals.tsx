import type { ReactNode } from "react";

import { useLanguage } from "@/app/i18n";
import { cost, duration } from "@/parts/time/format";

import type { UsageItem } from "./days";
import { useT } from "./messages";

/** The sums of the time that is looked at. */
export function Totals({ total }: { total: UsageItem }) {
  const t = useT();
  const language = useLanguage();
  const number = (value: number | null | undefined) => new Intl.NumberFormat(language, { notation: (value ?? 0) >= 1e6 ? "compact" : "standard", maximumFractionDigits: 1 }).format(value ?? 0);
  const ms = (value: number | null | undefined) => (value === undefined || value === null ? "–" : value === 0 ? t("instant") : duration(value, language));
  const calls = total.calls ?? 0;
  const share = (part: number | null | undefined, whole: number) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(whole === 0 ? 0 : (part ?? 0) / whole);
  return (
    <dl aria-label={t("totals")} className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Stat name={t("calls")} value={number(total.calls)} detail={t("cachedShare", { share: share(total.cached_calls, calls) })} />
      <Stat name={t("errors")} value={number(total.errors)} detail={t("errorShare", { share: share(total.errors, calls) })} tone={(total.errors ?? 0) > 0 ? "text-bad" : ""} />
      <Stat name={t("latency")} value={ms(total.call_p95_ms)} detail={t("latency.detail", { p50: ms(total.call_p50_ms), avg: ms(total.call_avg_ms) })} />
      <Stat name={t("modelCalls")} value={number(total.model_calls)} detail={t("modelCalls.detail", { p50: ms(total.model_p50_ms), p95: ms(total.model_p95_ms) })} />
      <Stat name={t("tokens")} value={number(total.input_tokens + total.output_tokens)} detail={t("tokens.detail", { in: number(total.input_tokens), out: number(total.output_tokens), cached: share(total.cached_input_tokens, total.input_tokens) })} />
      <Stat name={t("cost")} value={cost(total.cost, language)} detail={t("runs", { count: total.runs })}>
        {total.cost_mismatches > 0 && <span className="text-warn">{t("mismatches", { count: total.cost_mismatches })}</span>}
      </Stat>
    </dl>
  );
}

function Stat({ name, value, detail, tone = "", children }: { name: string; value: string; detail: string; tone?: string; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5 rounded-lg border bg-card p-3">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className={`text-xl leading-7 font-semibold tabular-nums ${tone}`}>{value}</dd>
      <dd className="text-xs text-muted-foreground tabular-nums">
        {detail} {children}
      </dd>
    </div>
  );
}
