// Lists that come page by page: the server's cursor, never an offset.
import { keepPreviousData, useInfiniteQuery, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";

export interface KeysetPage<Row> {
  items: Row[];
  next_cursor?: string | null;
}

/** Nobody needs more of a list at once than these pages have: with the most rows that the API gives, ten thousand. */
const MOST_PAGES = 50;

/** The most rows that the API gives at once. */
export const MOST_ROWS = 200;

/** Every page of a list that is needed whole, such as the names behind ids. */
export async function everyPage<Row>(fetchPage: (cursor: string | undefined) => Promise<KeysetPage<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next_cursor: next } = await fetchPage(cursor);
    rows.push(...items);
    if (!next) break;
    cursor = next;
  }
  return rows;
}

export interface Pages<Row> {
  rows: Row[];
  /** Nothing to show yet. */
  isLoading: boolean;
  /** What is shown belongs to the question before. */
  isStale: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  more(): void;
  error: Error | null;
  retry(): void;
}

/** `fetchPage` gets the cursor and a signal that ends the request when nobody waits any more. */
export function usePages<Row>(queryKey: QueryKey, fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<KeysetPage<Row>>, enabled = true): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled,
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  return {
    rows,
    isLoading: query.isPending,
    isStale: query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    more: () => void (query.hasNextPage && !query.isFetchingNextPage && query.fetchNextPage()),
    error: query.error,
    retry: () => void query.refetch(),
  };
}

/** A list that the server gives whole, told as one that comes page by page. */
export function onePage<Row>({ data, error, refetch }: Pick<UseQueryResult<Row[]>, "data" | "error" | "refetch">): Pages<Row> {
  return {
    rows: data ?? [],
    isLoading: data === undefined && error === null,
    isStale: false,
    isLoadingMore: false,
    hasMore: false,
    more: () => undefined,
    error,
    retry: () => void refetch(),
  };
}
