import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, Download } from "lucide-react";
import { useMemo, useRef, useState } from "react";

import { Button } from "@/ui/button";

import { csvOf } from "./csv";
import { useT } from "./messages";
import { columnsOf, compare, humane, type Row } from "./rows";
import { fileName, save } from "./save";
import { Value } from "./Value";

const ROW_PX = 33;
/** A few rows are an ordinary table; more are drawn only where they are looked at. */
const PLAIN_ROWS = 60;

interface Props {
  rows: Row[];
  label: string;
  /** The columns that the tool asked for. */
  asked?: unknown;
}

export function TableSection({ rows, label, asked }: Props) {
  const t = useT();
  const columns = useMemo(() => columnsOf(rows, asked), [rows, asked]);
  const [sort, setSort] = useState<{ column: string; isDown: boolean }>();
  const sorted = useMemo(() => {
    if (!sort) return rows;
    const way = sort.isDown ? -1 : 1;
    return [...rows].sort((a, b) => way * compare(a[sort.column], b[sort.column]));
  }, [rows, sort]);
  const scroller = useRef<HTMLDivElement>(null);
  const isLong = rows.length > PLAIN_ROWS;
  // The library's functions cannot be memoised; nothing here depends on that.
  const virtual = useVirtualizer({
    count: isLong ? sorted.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const shown = isLong ? items.map(({ index }) => ({ index, row: sorted[index] ?? {} })) : sorted.map((row, index) => ({ index, row }));

  if (rows.length === 0) return <p className="text-sm text-muted-foreground">{t("emptySection")}</p>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div
        ref={scroller}
        role="region"
        aria-label={t("table", { label })}
        // It scrolls, so a keyboard must be able to get into it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-[28rem] overflow-auto rounded-lg border border-border"
      >
        <table className="w-full text-sm" aria-rowcount={rows.length + 1}>
          <thead className="sticky top-0 z-10 bg-muted">
            <tr>
              {columns.map((column) => {
                const isSorted = sort?.column === column;
                // A heading stands over its numbers.
                const place = typeof rows[0]?.[column] === "number" ? "justify-end" : "";
                const Arrow = isSorted && sort.isDown ? ArrowDown : ArrowUp;
                return (
                  <th key={column} scope="col" className="p-0 text-left font-medium" aria-sort={isSorted ? (sort.isDown ? "descending" : "ascending") : "none"}>
                    <button
                      type="button"
                      className={`flex min-h-11 w-full items-center gap-1 px-3 py-1.5 whitespace-nowrap hover:bg-accent md:min-h-8 ${place}`}
                      onClick={() => setSort({ column, isDown: isSorted ? !sort.isDown : false })}
                    >
                      {humane(column)}
                      {isSorted && <Arrow aria-hidden className="size-3" />}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Gap px={above} span={columns.length} />}
            {shown.map(({ index, row }) => (
              <tr key={index} aria-rowindex={index + 2} className="border-t border-border">
                {columns.map((column) => (
                  <td
                    key={column}
                    className={`px-3 py-1.5 ${isLong ? "max-w-80 truncate whitespace-nowrap" : "align-top"} ${typeof row[column] === "number" ? "text-right" : ""}`}
                  >
                    <Value value={row[column]} />
                  </td>
                ))}
              </tr>
            ))}
            {below > 0 && <Gap px={below} span={columns.length} />}
          </tbody>
        </table>
      </div>
      <div className="flex items-center justify-between gap-2 text-sm text-muted-foreground">
        <span>{t("rows", { count: rows.length })}</span>
        <Button variant="outline" size="sm" onClick={() => save(csvOf(sorted, columns), `${fileName(label)}.csv`, "text/csv;charset=utf-8")}>
          <Download aria-hidden />
          {t("downloadCsv")}
        </Button>
      </div>
    </div>
  );
}

/** Stands for the rows that are not drawn. */
function Gap({ px, span }: { px: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height: px }} />
    </tr>
  );
}
