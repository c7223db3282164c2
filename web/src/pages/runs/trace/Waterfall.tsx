import { useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type KeyboardEvent } from "react";

import { useIsPhone } from "@/parts/table/useIsPhone";

import { useT } from "../messages";
import { around, moved, zoomed, type Window } from "./scale";
import { SpanLine } from "./SpanLine";
import { TimeAxis } from "./TimeAxis";
import type { SpanRow } from "./tree";

const ROW_PX = 30;
const PHONE_ROW_PX = 48;

interface WaterfallProps {
  rows: SpanRow[];
  sight: Window;
  lengthMs: number;
  onSight(sight: Window | undefined): void;
  chosen: string | undefined;
  onChoose(spanId: string): void;
  closed: ReadonlySet<string>;
  onClosed(closed: ReadonlySet<string>): void;
}

/** A tree of spans with a bar each, of which only those in sight are drawn. The arrow keys lead through it, plus and minus come nearer. */
export function Waterfall({ rows, sight, lengthMs, onSight, chosen, onChoose, closed, onClosed }: WaterfallProps) {
  const t = useT();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const scroller = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  // Where the last key led, until the address says so too: keys may come faster than it changes.
  const onTheWayTo = useRef<string>(undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    getItemKey: (index) => rows[index]?.span.span_id ?? index,
    overscan: 12,
  });
  useEffect(() => virtual.measure(), [isPhone, virtual]);
  const active = Math.max(0, rows.findIndex(({ span }) => span.span_id === chosen));
  // Who comes by a link to one span of hundreds sees it.
  const arrivedAt = useRef(active);
  useEffect(() => {
    if (arrivedAt.current > 0) virtual.scrollToIndex(arrivedAt.current, { align: "center" });
    arrivedAt.current = 0;
  }, [virtual]);
  const focus = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[next];
    if (!row) return;
    wantsFocus.current = true;
    onTheWayTo.current = row.span.span_id === chosen ? undefined : row.span.span_id;
    onChoose(row.span.span_id);
    virtual.scrollToIndex(next);
  };
  useEffect(() => {
    if (onTheWayTo.current === chosen) onTheWayTo.current = undefined;
  }, [chosen]);
  const choose = ({ span }: SpanRow) => {
    onTheWayTo.current = undefined;
    onChoose(span.span_id);
  };
  // The line may come into being only by the scroll: it takes the focus when it is there.
  useEffect(() => {
    if (!wantsFocus.current) return;
    const line = scroller.current?.querySelector<HTMLElement>(`[data-index="${String(active)}"]`);
    if (!line) return;
    // On the way further, the line under the focus may scroll out of sight before the next one is there.
    wantsFocus.current = onTheWayTo.current !== undefined;
    line.focus({ preventScroll: true });
  });
  const toggle = ({ span, below }: SpanRow) => {
    if (below === 0) return;
    const next = new Set(closed);
    if (!next.delete(span.span_id)) next.add(span.span_id);
    onClosed(next);
  };
  const open = ({ span }: SpanRow) => {
    const invocation = span.invocation_id;
    if (invocation) void navigate({ to: ".", search: (old) => ({ ...old, invocation }) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const ahead = rows.findIndex(({ span }) => span.span_id === onTheWayTo.current);
    const here = ahead < 0 ? active : ahead;
    const row = rows[here];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => focus(here + 1),
      ArrowUp: () => focus(here - 1),
      PageDown: () => focus(here + 10),
      PageUp: () => focus(here - 10),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (row.below > 0 && !row.isOpen ? toggle(row) : focus(here + 1)),
      ArrowLeft: () => (row.isOpen ? toggle(row) : focus(rows.findIndex(({ span }) => span.span_id === row.parent))),
      Enter: () => open(row),
      z: () => onSight(around(row.fromMs, row.toMs, lengthMs)),
      "+": () => onSight(zoomed(sight, 0.5, lengthMs, (row.fromMs + row.toMs) / 2)),
      "-": () => onSight(zoomed(sight, 2, lengthMs)),
      "0": () => onSight(undefined),
      "<": () => onSight(moved(sight, -0.25, lengthMs)),
      ">": () => onSight(moved(sight, 0.25, lengthMs)),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border">
      <TimeAxis sight={sight} lengthMs={lengthMs} onSight={onSight} />
      <div ref={scroller} className="max-h-[65dvh] overflow-x-hidden overflow-y-auto">
        <div role="tree" aria-label={t("tab.trace")} tabIndex={-1} className="relative outline-none" style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <SpanLine
                key={item.key}
                row={row}
                index={item.index}
                top={item.start}
                height={item.size}
                sight={sight}
                isChosen={item.index === active}
                onChoose={() => choose(row)}
                onToggle={() => toggle(row)}
                onOpen={() => open(row)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
