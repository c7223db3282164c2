import { useMemo } from "react";

import { useLanguage } from "@/app/i18n";
import type { Column } from "@/parts/table/DataTable";
import { cost, duration } from "@/parts/time/format";
import { useAgents } from "@/parts/people/agents";

import type { UsageItem } from "./days";
import { useT } from "./messages";
import type { UsageDimension } from "./search";

/** A column that can be sorted by what it shows. */
export interface UsageColumn extends Column<UsageItem> {
  value(item: UsageItem): number | string | null | undefined;
}

export function useColumns(by: UsageDimension): UsageColumn[] {
  const t = useT();
  const language = useLanguage();
  const { find } = useAgents();
  return useMemo(() => {
    const count = (value: number | null | undefined) => (value === undefined || value === null ? "–" : new Intl.NumberFormat(language).format(value));
    const ms = (value: number | null | undefined) => (value === undefined || value === null ? "–" : value === 0 ? t("instant") : duration(value, language));
    const numeric = (id: string, header: string, value: UsageColumn["value"], show: (item: UsageItem) => string, width = "6rem", phone?: "hidden"): UsageColumn => ({
      id, header, value, width, phone, align: "end", sortable: true, cell: (item) => <span className="tabular-nums">{show(item)}</span>,
    });
    const name = (item: UsageItem): string => {
      if (by === "tool") return item.tool ?? t("noTool");
      if (by === "day") return item.day ?? "";
      if (by === "model") return item.model ?? t("noModel");
      return find(item.agent_id)?.display_name ?? item.agent_id ?? t("noAgent");
    };
    const ofCalls = [
      numeric("calls", t("calls"), ({ calls }) => calls, ({ calls }) => count(calls)),
      numeric("errors", t("errors"), ({ errors }) => errors, ({ errors, calls }) => `${count(errors)}${errors && calls ? ` (${percent(errors / calls, language)})` : ""}`, "8rem"),
      numeric("p50", t("p50.short"), ({ call_p50_ms }) => call_p50_ms, ({ call_p50_ms }) => ms(call_p50_ms), "6rem", "hidden"),
      numeric("p95", t("p95.short"), ({ call_p95_ms }) => call_p95_ms, ({ call_p95_ms }) => ms(call_p95_ms)),
    ];
    const ofModels = [
      numeric("calls", t("modelCalls"), ({ model_calls }) => model_calls, ({ model_calls }) => count(model_calls), "8rem"),
      numeric("errors", t("errors"), ({ model_errors }) => model_errors, ({ model_errors }) => count(model_errors)),
      numeric("p50", t("p50.short"), ({ model_p50_ms }) => model_p50_ms, ({ model_p50_ms }) => ms(model_p50_ms), "6rem", "hidden"),
      numeric("p95", t("p95.short"), ({ model_p95_ms }) => model_p95_ms, ({ model_p95_ms }) => ms(model_p95_ms)),
    ];
    return [
      { id: "name", header: t(`by.${by}`), width: "minmax(0,2fr)", phone: "title", sortable: true, value: name, cell: (item) => <span className="block truncate font-medium">{name(item)}</span> },
      ...(by === "model" ? ofModels : ofCalls),
      numeric("in", t("tokensIn"), ({ input_tokens }) => input_tokens, ({ input_tokens }) => count(input_tokens), "8rem", "hidden"),
      numeric("out", t("tokensOut"), ({ output_tokens }) => output_tokens, ({ output_tokens }) => count(output_tokens), "8rem", "hidden"),
      numeric("cost", t("cost"), ({ cost: spent }) => spent, ({ cost: spent }) => cost(spent, language)),
    ];
  }, [by, t, language, find]);
}

function percent(share: number, language: string): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(share);
}
