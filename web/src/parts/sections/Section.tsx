import { createElement } from "react";

import type { Schemas } from "@/api/client";

import { isObject } from "../json/values";
import { ChartSection } from "./ChartSection";
import { rendererOf } from "./custom";
import { Generic } from "./Generic";
import { useT } from "./messages";
import { RankingSection } from "./RankingSection";
import { rowsOf } from "./rows";
import { SummarySection } from "./SummarySection";
import { TableSection } from "./TableSection";

export type OutputSection = Schemas["OutputSection"];

/** One section of an answer, as the tool's definition says it is to be shown. */
export function Section({ section, value }: { section: OutputSection; value: unknown }) {
  const { label, type } = section;
  const config = isObject(section.config) ? section.config : undefined;
  switch (type) {
    case "summary":
      return <SummarySection value={value} label={label} />;
    case "table":
      return <TableSection rows={rowsOf(value)} label={label} asked={config?.["columns"]} />;
    case "chart":
    case "radar":
      return <ChartSection rows={rowsOf(value)} label={label} kind={type} config={config} />;
    case "ranking":
      return <RankingSection rows={rowsOf(value)} label={label} config={config} />;
    case "custom":
      return <CustomSection value={value} label={label} config={config ?? {}} />;
  }
}

function CustomSection({ value, label, config }: { value: unknown; label: string; config: Record<string, unknown> }) {
  const t = useT();
  const renderer = rendererOf(config["renderer"]);
  if (renderer) return createElement(renderer, { value, label, config });
  return (
    <>
      {typeof config["renderer"] === "string" && <p className="text-sm text-muted-foreground">{t("unknownRenderer", { name: config["renderer"] })}</p>}
      <Generic value={value} label={label} />
    </>
  );
}
