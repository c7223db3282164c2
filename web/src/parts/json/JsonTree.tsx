import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState, type KeyboardEvent } from "react";

import { cn } from "@/ui/cn";

import { CopyButton } from "../copy/CopyButton";
import { useT } from "../messages";
import { JsonLine } from "./JsonLine";
import { CLOSED, parentOf, rowsOf, showMore, toggle, type JsonRow } from "./rows";

const LINE_PX = 22;

export interface JsonTreeProps {
  value: unknown;
  /** What the value is, for those who do not see where it stands: “Input”. */
  label: string;
  className?: string;
  /** The most that the tree takes of the page before it scrolls inside itself. */
  maxHeightPx?: number;
}

/** A JSON value to look into: opened by mouse or arrow keys, copied as a whole or in parts. */
export function JsonTree({ value, label, className, maxHeightPx = 420 }: JsonTreeProps) {
  const t = useT();
  const [state, setState] = useState(CLOSED);
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(value, state), [value, state]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => rows[index]?.path ?? index,
    overscan: 12,
  });

  const press = (row: JsonRow) => setState(row.kind === "more" ? showMore(state, String(row.value)) : row.size > 0 ? toggle(state, row.path) : state);
  const focus = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    virtual.scrollToIndex(next);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if (!row || !(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => focus(active + 1),
      ArrowUp: () => focus(active - 1),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (row.size > 0 && !row.isOpen ? press(row) : focus(active + 1)),
      ArrowLeft: () => (row.isOpen ? press(row) : focus(parentOf(rows, active))),
      Enter: () => press(row),
      " ": () => press(row),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const current = Math.min(active, rows.length - 1);
  return (
    <div className={cn("group relative rounded-lg border bg-card", className)}>
      <CopyButton text={() => JSON.stringify(value, null, 2) ?? "null"} label={t("json.copyAll")} className="absolute top-1 right-1 z-10 bg-card max-md:size-11" />
      <div ref={scroller} className="overflow-auto p-2 pr-11 font-mono text-xs" style={{ maxHeight: maxHeightPx }}>
        <div role="tree" aria-label={label} tabIndex={-1} className="relative w-max min-w-full outline-none" style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-setsize={row.siblings}
                aria-posinset={row.position}
                aria-expanded={row.size > 0 && row.kind !== "more" ? row.isOpen : undefined}
                aria-selected={item.index === current}
                tabIndex={item.index === current ? 0 : -1}
                onFocus={() => setActive(item.index)}
                onClick={() => press(row)}
                onKeyDown={undefined}
                className={cn("relative min-w-full rounded-sm leading-[22px] focus-visible:-outline-offset-2", row.size > 0 && "cursor-pointer hover:bg-accent")}
                style={{ transform: `translateY(${item.start}px)`, position: "absolute", top: 0, paddingLeft: `${row.depth * 16}px` }}
              >
                <JsonLine row={row} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
