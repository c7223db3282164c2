import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useState, type KeyboardEvent, type ReactNode } from "react";

import { cn } from "@/ui/cn";

import { useT } from "../messages";
import { HeaderRow } from "./HeaderRow";
import { RowContent } from "./RowContent";
import { moved } from "./keys";
import { useIsPhone } from "./useIsPhone";

export interface Column<Row> {
  id: string;
  header: string;
  cell(row: Row): ReactNode;
  /** A track of CSS grid; the default shares what is left. */
  width?: string;
  align?: "end";
  /** On a phone: the card's first line (`title`), nothing (`hidden`), or a labelled line. */
  phone?: "title" | "plain" | "hidden";
  /** Only where the API sorts. */
  sortable?: boolean;
}

export interface Sort {
  column: string;
  descending: boolean;
}

export interface DataTableProps<Row> {
  /** What the rows are, for those who do not see the page. */
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** A click, Enter or a tap on a row. */
  onOpen?(row: Row): void;
  isCurrent?(row: Row): boolean;
  hasMore?: boolean;
  isLoadingMore?: boolean;
  onMore?(): void;
  sort?: Sort;
  onSort?(sort: Sort): void;
  /** Old rows while the new ones are on their way. */
  isStale?: boolean;
}

const ROW_PX = 40;
const CARD_PX = 96;
/** The next page is asked for this many rows before the end. */
const AHEAD = 12;
/** So long is waited for a row to come into being. */
const MOST_FRAMES = 30;

/**
 * Rows of which only those in sight exist, however many there are. It scrolls with the nearest `[data-scroll]`, so a page has one
 * scroll bar. Arrow keys, Home, End and j/k move between rows. On a phone each row is a card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onOpen, isCurrent, hasMore = false, isLoadingMore = false, onMore, sort, onSort, isStale = false } = props;
  const t = useT();
  const isPhone = useIsPhone();
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  const [margin, setMargin] = useState(0);
  const [active, setActive] = useState(0);
  const scroller = body?.closest<HTMLElement>("[data-scroll]") ?? null;

  useLayoutEffect(() => {
    if (!body || !scroller) return;
    setMargin(body.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);
  }, [body, scroller, isPhone]);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => (isPhone ? CARD_PX : ROW_PX),
    getItemKey: (index) => (rows[index] === undefined ? index : rowKey(rows[index])),
    scrollMargin: margin,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isNearEnd = rows.length > 0 && last >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) onMore?.();
  }, [isNearEnd, hasMore, isLoadingMore, onMore]);

  const focusRow = (index: number) => {
    setActive(index);
    virtual.scrollToIndex(index);
    // The row may come into being only by the scroll; one that is there has the focus before the next key is pressed.
    const look = (frames: number) => {
      const row = body?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      if (row) row.focus();
      else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
    };
    look(MOST_FRAMES);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return;
    // The row that the key was pressed on: rows that came above it since have moved it down.
    const at = Number(event.target.dataset.index);
    const row = rows[at];
    if (event.key === "Enter" && row !== undefined && onOpen) {
      event.preventDefault();
      onOpen(row);
      return;
    }
    const next = moved(event.key, at, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    focusRow(next);
  };

  const tracks = columns.map(({ width }) => width ?? "minmax(0,1fr)").join(" ");
  const current = Math.min(active, rows.length - 1);
  return (
    <div className="min-w-0">
      {/* The rows take the focus; the grid only hears their keys. */}
      <div role="grid" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1} aria-busy={isStale || isLoadingMore} tabIndex={-1} onKeyDown={onKeyDown} className="outline-none">
        <HeaderRow columns={columns} tracks={tracks} isPhone={isPhone} sort={sort} onSort={onSort} />
        <div ref={setBody} role="rowgroup" className={cn("relative", isStale && "opacity-60")} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                role="row"
                aria-rowindex={item.index + 2}
                aria-current={isCurrent?.(row) ? "true" : undefined}
                tabIndex={item.index === current ? 0 : -1}
                onFocus={() => setActive(item.index)}
                onClick={(event) => !isControl(event.target) && onOpen?.(row)}
                onKeyDown={undefined}
                className={cn(
                  "absolute inset-x-0 top-0 border-b text-sm focus-visible:-outline-offset-2 aria-[current=true]:bg-accent",
                  onOpen && "cursor-pointer hover:bg-accent/60",
                  isPhone ? "grid gap-1 px-1 py-3" : "grid min-h-10 items-center gap-3 px-3 py-1.5",
                )}
                style={{ transform: `translateY(${item.start - margin}px)`, gridTemplateColumns: isPhone ? undefined : tracks }}
              >
                <RowContent row={row} columns={columns} isPhone={isPhone} />
              </div>
            );
          })}
        </div>
      </div>
      <div role="status" className="px-3 py-2 text-xs text-muted-foreground">
        {isLoadingMore ? t("loadingMore") : !hasMore && rows.length > 0 ? t("rows", { count: rows.length }) : null}
      </div>
    </div>
  );
}

/** A link or a button inside a row does its own thing. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a,button,input,select,textarea,label,[role=menuitem],[role=checkbox],[role=switch]") !== null;
}
