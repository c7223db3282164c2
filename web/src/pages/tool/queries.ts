import { infiniteQueryOptions } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys } from "@/api/queries";

export { toolQuery } from "@/api/queries";

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
