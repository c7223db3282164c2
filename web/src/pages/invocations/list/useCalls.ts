// The calls, page by page, live. Refetching thousands of loaded rows for each event would stop the page, so only the news is
// fetched: what is newer than the newest row, and the loaded rows that events speak of.
import { keepPreviousData, useInfiniteQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { api, data } from "@/api/client";
import { live } from "@/api/live";
import type { KeysetPage, Pages as PagesOf } from "@/api/pages";

import { toQuery, type CallSearch } from "./search";
import { newestOf, rowOf, withNews, type CallRow } from "./rows";

/** As many as the server gives at once: rows are brief, and fewer questions make a long way short. */
const PAGE = 200;
const SETTLE_MS = 300;
/** After so many new calls at once the list begins anew. */
const MOST_NEW = 1_000;
/** Rows further down that are asked for one by one. */
const MOST_CHANGED = 25;

type Query = ReturnType<typeof toQuery>;
type Loaded = InfiniteData<KeysetPage<CallRow>, string | undefined>;

async function fetchPage(query: Query, cursor: string | undefined, signal?: AbortSignal): Promise<KeysetPage<CallRow>> {
  // A row shows no output, and outputs can be megabytes.
  const brief = { ...query, limit: PAGE, brief: true, ...(cursor !== undefined && { cursor }) };
  const page = await data(api.GET("/api/invocations", { params: { query: brief }, signal }));
  return { items: page.items.map((call) => rowOf(call as Parameters<typeof rowOf>[0])), next_cursor: page.next_cursor };
}

export function useCalls(filters: CallSearch): PagesOf<CallRow> {
  const queryClient = useQueryClient();
  // The same filters are the same question, however often the page asks it.
  const name = JSON.stringify(filters);
  const queryKey = useMemo(() => ["calls", name] as const, [name]);
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(toQuery(filters, Date.now()), pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  useEffect(() => {
    const touched = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const catchUp = async () => {
      timer = undefined;
      const loaded = queryClient.getQueryData<Loaded>(queryKey);
      // A first answer that is on its way may be older than what happened.
      if (!loaded) return void (queryClient.isFetching({ queryKey }) > 0 && soon());
      const query = toQuery(JSON.parse(name) as CallSearch, Date.now());
      const ids = [...touched];
      touched.clear();
      try {
        const news = await newerThan(query, newestOf(loaded.pages));
        if (news === undefined) return void queryClient.resetQueries({ queryKey });
        const { changed, gone } = await changesOf(query, loaded, ids, news);
        if (!isOver) queryClient.setQueryData<Loaded>(queryKey, (now) => now && { ...now, pages: withNews(now.pages, [...news, ...changed], gone) });
      } catch {
        // The stream of events tells that the server is gone; the next event tries again.
        ids.forEach((id) => touched.add(id));
      }
    };
    const soon = () => {
      timer ??= setTimeout(() => void catchUp(), SETTLE_MS);
    };
    // What happened while this list was not shown.
    if (queryClient.getQueryData(queryKey)) soon();
    const stop = live.listen(({ type, invocation_id }) => {
      if (type === "tool.output_appended") return;
      touched.add(invocation_id);
      soon();
    });
    // The stream begins with the present: what happened between the first answer and its beginning is not told.
    const unwatch = live.watch(() => live.getState() === "open" && soon());
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
      unwatch();
    };
  }, [queryClient, queryKey, name]);

  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return {
    rows,
    isLoading: pages.isPending,
    isStale: pages.isPlaceholderData,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: pages.hasNextPage,
    more: () => void (pages.hasNextPage && !pages.isFetchingNextPage && pages.fetchNextPage()),
    error: pages.error,
    retry: () => void pages.refetch(),
  };
}

/** Nothing (undefined) when there are too many to fetch. */
async function newerThan(query: Query, newest: string | undefined): Promise<CallRow[] | undefined> {
  const news: CallRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(query, cursor);
    news.push(...page.items);
    cursor = page.next_cursor ?? undefined;
    if (newest === undefined || (news.at(-1)?.id ?? "") <= newest) return news;
  } while (cursor !== undefined && news.length < MOST_NEW);
  return cursor === undefined ? news : undefined;
}

/** Loaded rows further down, as they are now. */
async function changesOf(query: Query, loaded: Loaded, ids: string[], news: CallRow[]): Promise<{ changed: CallRow[]; gone: Set<string> }> {
  const known = new Set(loaded.pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const fresh = new Set(news.map(({ id }) => id));
  const wanted = ids.filter((id) => known.has(id) && !fresh.has(id)).slice(0, MOST_CHANGED);
  const rows = await Promise.all(wanted.map(async (id) => rowOf(await data(api.GET("/api/invocations/{id}", { params: { path: { id } } })))));
  const fits = (row: CallRow) => query.status === undefined || row.status === query.status;
  return { changed: rows.filter(fits), gone: new Set(rows.filter((row) => !fits(row)).map(({ id }) => id)) };
}
