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

/** What there is to choose from. The API has no list of categories and kinds, so they are read off the tools. */
export const facetsQuery = queryOptions({
  queryKey: [...keys.tools, "facets"],
  queryFn: async ({ signal }) => {
    const { items } = await data(api.GET("/api/tools", { params: { query: { limit: 200, include_deprecated: true } }, signal }));
    const sorted = (values: (string | null | undefined)[]) => [...new Set(values.filter((value) => typeof value === "string" && value !== ""))].sort() as string[];
    return { categories: sorted(items.map(({ category }) => category)), kinds: sorted(items.map(({ execution }) => execution?.kind)) };
  },
  staleTime: 300_000,
});
