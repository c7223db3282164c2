import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys, type Tool } from "@/api/queries";

export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.tools, name],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tools/{name}", { params: { path: { name } }, signal }))) as Tool,
  });

const PAGE = 25;

/** The calls of a tool, the newest first. */
export const historyQuery = (tool: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.invocations, "of", tool],
    queryFn: ({ signal, pageParam }) =>
      data(api.GET("/api/invocations", { params: { query: { tool, limit: PAGE, ...(pageParam === "" ? {} : { cursor: pageParam }) } }, signal })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
