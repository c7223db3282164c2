import { api, data } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys, type Invocation } from "@/api/queries";

const PAGE = 25;

/** The calls of a tool, the newest first. */
export function useHistory(tool: string): Pages<Invocation> {
  return usePages([...keys.invocations, "of", tool], (cursor, signal) => data(api.GET("/api/invocations", { params: { query: { tool, limit: PAGE, cursor } }, signal })));
}
