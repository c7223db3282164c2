import { Maximize2, ZoomIn, ZoomOut } from "lucide-react";

import { Button } from "@/ui/button";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { SHOWN_SPANS, type ShownSpans } from "../search";
import { zoomed, type Window } from "./scale";

interface TraceBarProps {
  count: number;
  show: ShownSpans;
  onShow(show: ShownSpans): void;
  sight: Window;
  isZoomed: boolean;
  lengthMs: number;
  onSight(sight: Window | undefined): void;
}

/** Which spans, and how near. */
export function TraceBar({ count, show, onShow, sight, isZoomed, lengthMs, onSight }: TraceBarProps) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <NativeSelect aria-label={t("trace.show")} value={show} onChange={(event) => onShow(SHOWN_SPANS.find((one) => one === event.target.value) ?? "all")}>
        {SHOWN_SPANS.map((one) => (
          <option key={one} value={one}>
            {t(`trace.show.${one}`)}
          </option>
        ))}
      </NativeSelect>
      <span role="group" aria-label={t("trace.zoom")} className="inline-flex items-center gap-1">
        <Button variant="outline" size="icon" aria-label={t("trace.zoomIn")} title={t("trace.zoomIn")} onClick={() => onSight(zoomed(sight, 0.5, lengthMs))}>
          <ZoomIn aria-hidden />
        </Button>
        <Button variant="outline" size="icon" aria-label={t("trace.zoomOut")} title={t("trace.zoomOut")} onClick={() => onSight(zoomed(sight, 2, lengthMs))}>
          <ZoomOut aria-hidden />
        </Button>
        <Button variant="outline" size="icon" aria-label={t("trace.whole")} title={t("trace.whole")} disabled={!isZoomed} onClick={() => onSight(undefined)}>
          <Maximize2 aria-hidden />
        </Button>
      </span>
      <p className="text-sm text-muted-foreground">{t("trace.count", { count })}</p>
      <p className="ml-auto text-xs text-muted-foreground max-md:hidden">{t("trace.keys")}</p>
    </div>
  );
}
