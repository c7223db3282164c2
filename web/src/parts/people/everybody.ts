import { queryOptions } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys, type Agent } from "@/api/queries";

const PAGE = 200;
/** Names are read off so many agents at most; those beyond are shown by their ids. */
const PAGES = 5;

/** Every agent, with those that were archived: old runs and calls name them still. */
export const everyAgentQuery = queryOptions({
  queryKey: [...keys.agents, "names"],
  queryFn: async ({ signal }) => {
    const agents: Agent[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const { items, next_cursor } = await data(api.GET("/api/agents", { params: { query: { archived: true, limit: PAGE, ...(cursor !== undefined && { cursor }) } }, signal }));
      agents.push(...items);
      if (!next_cursor) break;
      cursor = next_cursor;
    }
    return agents;
  },
  staleTime: 60_000,
});

export const everyKeyQuery = queryOptions({
  queryKey: ["keys", "names"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/keys", { signal }))).items,
  staleTime: 60_000,
});
