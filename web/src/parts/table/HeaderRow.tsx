import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";

import { cn } from "@/ui/cn";

import { useT } from "../messages";
import type { Column, Sort } from "./DataTable";

interface HeaderRowProps<Row> {
  columns: Column<Row>[];
  tracks: string;
  isPhone: boolean;
  sort?: Sort;
  onSort?(sort: Sort): void;
}

export function HeaderRow<Row>({ columns, tracks, isPhone, sort, onSort }: HeaderRowProps<Row>) {
  return (
    <div role="rowgroup" className={cn(isPhone ? "sr-only" : "sticky top-0 z-10")}>
      <div role="row" aria-rowindex={1} className="grid h-8 items-center gap-3 border-b bg-background px-3 text-xs font-medium text-muted-foreground" style={{ gridTemplateColumns: tracks }}>
        {columns.map((column) => {
          const isSorted = sort?.column === column.id;
          const order = isSorted ? (sort.descending ? "descending" : "ascending") : undefined;
          return (
            <div key={column.id} role="columnheader" aria-sort={column.sortable ? (order ?? "none") : undefined} className={cn("truncate", column.align === "end" && "text-right")}>
              {column.sortable && onSort ? <SortButton column={column} order={order} onSort={onSort} /> : column.header}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function SortButton<Row>({ column, order, onSort }: { column: Column<Row>; order: "ascending" | "descending" | undefined; onSort(sort: Sort): void }) {
  const t = useT();
  const Icon = order === undefined ? ArrowUpDown : order === "ascending" ? ArrowUp : ArrowDown;
  return (
    <button type="button" className="inline-flex items-center gap-1 hover:text-foreground" aria-label={t("sort", { column: column.header })} onClick={() => onSort({ column: column.id, descending: order === "ascending" })}>
      {column.header}
      <Icon aria-hidden className="size-3" />
    </button>
  );
}
