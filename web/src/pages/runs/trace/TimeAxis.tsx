import { useRef, useState, type PointerEvent, type WheelEvent } from "react";

import { useLanguage } from "@/app/i18n";
import { duration } from "@/parts/time/format";

import { useT } from "../messages";
import { ticksOf, zoomed, type Window } from "./scale";

interface TimeAxisProps {
  sight: Window;
  lengthMs: number;
  onSight(sight: Window): void;
}

const TICKS = 6;
/** Less than this is a click, not a part of the axis. */
const LEAST_DRAG = 0.01;

/** The time in sight. Dragging over it shows that part; a wheel with Ctrl comes nearer. Buttons and keys do the same. */
export function TimeAxis({ sight, lengthMs, onSight }: TimeAxisProps) {
  const t = useT();
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const length = sight.toMs - sight.fromMs;
  const shareOf = (event: { clientX: number }) => {
    const box = place.current?.getBoundingClientRect();
    return box === undefined || box.width === 0 ? 0 : Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.pointerType !== "mouse") return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: shareOf(event), to: shareOf(event) });
  };
  const end = () => {
    if (drag && Math.abs(drag.to - drag.from) > LEAST_DRAG) {
      const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      onSight({ fromMs: sight.fromMs + from * length, toMs: sight.fromMs + to * length });
    }
    setDrag(undefined);
  };
  const wheel = (event: WheelEvent) => {
    if (event.ctrlKey) onSight(zoomed(sight, event.deltaY < 0 ? 0.8 : 1.25, lengthMs, sight.fromMs + shareOf(event) * length));
  };
  return (
    <div className="grid border-b bg-muted/50 text-xs text-muted-foreground md:grid-cols-[minmax(9rem,18rem)_minmax(0,1fr)]">
      <span className="px-3 py-1.5 max-md:hidden">{t("trace.span")}</span>
      <div ref={place} aria-hidden className="relative h-7 cursor-crosshair touch-pan-y select-none max-md:mx-2" onPointerDown={begin} onPointerMove={(event) => drag && setDrag({ ...drag, to: shareOf(event) })} onPointerUp={end} onPointerCancel={() => setDrag(undefined)} onWheel={wheel}>
        {ticksOf(sight, TICKS).map((tick) => {
          const percent = ((tick - sight.fromMs) / length) * 100;
          return (
            <span key={tick} className="absolute inset-y-0 border-l pl-1 leading-7 whitespace-nowrap tabular-nums" style={{ left: `${String(percent)}%` }}>
              {percent < 92 && label(tick, length, language)}
            </span>
          );
        })}
        {drag && <span className="absolute inset-y-0 bg-primary/20" style={{ left: `${String(Math.min(drag.from, drag.to) * 100)}%`, width: `${String(Math.abs(drag.to - drag.from) * 100)}%` }} />}
      </div>
    </div>
  );
}

/** Within milliseconds, whole ones would all be the same. */
function label(tick: number, length: number, language: string): string {
  if (length >= 10) return duration(tick, language);
  return new Intl.NumberFormat(language, { style: "unit", unit: "millisecond", unitDisplay: "short", maximumFractionDigits: 3 }).format(tick);
}
