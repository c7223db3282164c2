import type { ReactNode } from "react";

import type { Pages } from "@/api/pages";

import { Failed, LoadingRows } from "../states/states";
import { DataTable, type DataTableProps } from "./DataTable";

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, "rows" | "hasMore" | "isLoadingMore" | "onMore" | "isStale"> {
  pages: Pages<Row>;
  /** Where not all of them are shown. */
  rows?: readonly Row[];
  /** What stands here when there is no row. */
  empty: ReactNode;
}

/** A list that comes page by page, and what stands in its place while it loads, when it is empty, and when it cannot be had. */
export function PagedTable<Row>({ pages, rows = pages.rows, empty, ...table }: PagedTableProps<Row>) {
  if (pages.isLoading) return <LoadingRows />;
  if (pages.error && pages.rows.length === 0) return <Failed error={pages.error} onRetry={pages.retry} />;
  if (rows.length === 0 && !pages.hasMore) return empty;
  return <DataTable {...table} rows={rows} hasMore={pages.hasMore} isLoadingMore={pages.isLoadingMore} onMore={pages.more} isStale={pages.isStale} />;
}
