import { cn } from "@/ui/cn";

import type { Column } from "./DataTable";

/** The cells of a row; on a phone the lines of a card. */
export function RowContent<Row>({ row, columns, isPhone }: { row: Row; columns: Column<Row>[]; isPhone: boolean }) {
  return columns.map((column) => {
    const phone = column.phone ?? "plain";
    if (isPhone && phone === "hidden") return null;
    const isLabelled = isPhone && phone !== "title" && column.header !== "";
    return (
      <div key={column.id} role="gridcell" className={cn("min-w-0", isPhone ? "flex flex-wrap items-baseline gap-x-2" : column.align === "end" && "text-right tabular-nums", isPhone && phone === "title" && "font-medium")}>
        {isLabelled && <span className="text-xs text-muted-foreground">{column.header}</span>}
        {column.cell(row)}
      </div>
    );
  });
}
