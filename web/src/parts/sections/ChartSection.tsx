import { Download } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";

import { notify } from "@/app/notify";
import { Button } from "@/ui/button";

import { chartConfig, radarConfig, thinned } from "./config";
import { useT } from "./messages";
import { pngOf } from "./png";
import type { Row } from "./rows";
import { fileName, save } from "./save";
import { TableSection } from "./TableSection";

const Drawn = lazy(() => import("./Drawn"));

interface Props {
  rows: Row[];
  label: string;
  kind: "chart" | "radar";
  config: Record<string, unknown> | null | undefined;
}

/** A drawing, the picture of it, and the data behind it for those who cannot see or want to check it. */
export function ChartSection({ rows, label, kind, config }: Props) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const [hasData, setHasData] = useState(false);
  const points = useMemo(() => thinned(rows), [rows]);
  const columns = useMemo(() => {
    if (kind === "radar") {
      const radar = radarConfig(config, rows);
      return [radar.label, ...radar.values];
    }
    const chart = chartConfig(config, rows);
    return [chart.x, ...chart.y];
  }, [kind, config, rows]);

  if (rows.length === 0) return <p className="text-sm text-muted-foreground">{t("emptySection")}</p>;
  const picture = async () => {
    const chart = place.current?.querySelector<HTMLElement>(".recharts-wrapper");
    if (!chart) return;
    try {
      save(await pngOf(chart), `${fileName(label)}.png`);
    } catch (error) {
      notify.failed(error);
    }
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div ref={place} role="img" aria-label={t("chartOf", { label })} className="h-72 w-full min-w-0 rounded-lg border border-border p-3">
        <Suspense fallback={<p className="text-sm text-muted-foreground">{t("loading")}</p>}>
          <Drawn kind={kind} rows={points} config={config} />
        </Suspense>
      </div>
      <div className="flex justify-end gap-2">
        <Button variant="outline" size="sm" aria-expanded={hasData} onClick={() => setHasData(!hasData)}>
          {hasData ? t("hideData") : t("showData")}
        </Button>
        <Button variant="outline" size="sm" onClick={() => void picture()}>
          <Download aria-hidden />
          {t("downloadPng")}
        </Button>
      </div>
      {hasData && <TableSection rows={rows} label={label} asked={columns} />}
    </div>
  );
}
