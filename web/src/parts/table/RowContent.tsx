import { memo, type ReactNode } from "react";

import { cn } from "@/ui/cn";

import type { Column } from "./DataTable";

interface Props<Row> {
  row: Row;
  columns: Column<Row>[];
  isPhone: boolean;
}

/** The cells of a row; on a phone the lines of a card. Scrolling moves rows about; those that stay are not drawn again. */
export const RowContent = memo(function RowContent<Row>({ row, columns, isPhone }: Props<Row>) {
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
}) as <Row>(props: Props<Row>) => ReactNode;
