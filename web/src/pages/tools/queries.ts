import { api, data } from "@/api/client";
import { everyToolQuery } from "@/api/every";
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
export const facetsQuery = { ...everyToolQuery, staleTime: 300_000, select: facetsOf };

function facetsOf(tools: Tool[]): { categories: string[]; kinds: string[] } {
  const all = (names: (string | null | undefined)[]) => [...new Set(names)].filter((name) => typeof name === "string" && name !== "").sort() as string[];
  return { categories: all(tools.map(({ category }) => category)), kinds: all(tools.map(({ execution }) => execution?.kind)) };
}
