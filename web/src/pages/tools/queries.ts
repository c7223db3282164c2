import { queryOptions } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys, type Tool } from "@/api/queries";

import { toQuery, type Filters } from "./search";

const PAGE_SIZE = 60;

export function useTools(filters: Filters): Pages<Tool> {
  const query = toQuery(filters);
  return usePages([...keys.tools, "library", query], (cursor, signal) =>
    data(api.GET("/api/tools", { params: { query: { ...query, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) } }, signal })),
  );
}

/** At most this many pages are read to learn what there is to choose from: two thousand tools. */
const FACET_PAGES = 10;

/** What there is to choose from. The API has no list of categories and kinds, so they are read off the tools. */
export const facetsQuery = queryOptions({
  queryKey: [...keys.tools, "facets"],
  queryFn: async ({ signal }) => {
    const [categories, kinds] = [new Set<string>(), new Set<string>()];
    let cursor: string | undefined;
    for (let page = 0; page < FACET_PAGES; page += 1) {
      const query = { limit: 200, include_deprecated: true, ...(cursor !== undefined && { cursor }) };
      const { items, next_cursor } = await data(api.GET("/api/tools", { params: { query }, signal }));
      for (const { category, execution } of items) {
        if (category) categories.add(category);
        if (execution?.kind) kinds.add(execution.kind);
      }
      if (!next_cursor) break;
      cursor = next_cursor;
    }
    return { categories: [...categories].sort(), kinds: [...kinds].sort() };
  },
  staleTime: 300_000,
});
