import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys, type Tool } from "@/api/queries";

export type CallEvent = Schemas["Event"];

export const invocationQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.invocations, id],
    queryFn: ({ signal }) => data(api.GET("/api/invocations/{id}", { params: { path: { id } }, signal })),
  });

/** The version that was called: its sections are those of this answer. */
export const calledToolQuery = (key: string) =>
  queryOptions({
    queryKey: [...keys.tools, key],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tools/{name}", { params: { path: { name: key } }, signal }))) as Tool,
    staleTime: 60_000,
    retry: false,
  });

export const envelopeQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.invocations, id, "envelope"],
    queryFn: ({ signal }) => data(api.GET("/api/invocations/{id}/envelope", { params: { path: { id } }, signal })),
  });

const EVENTS_PAGE = 200;
/** A run's session has the events of all its calls: so many pages are searched for those of this one. */
const MOST_PAGES = 10;

/** The events of one call. The API lists those of its session. */
export const callEventsQuery = (session: string, id: string) =>
  queryOptions({
    queryKey: [...keys.invocations, id, "events"],
    queryFn: async ({ signal }): Promise<{ events: CallEvent[]; isWhole: boolean }> => {
      const events: CallEvent[] = [];
      let after: number | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { limit: EVENTS_PAGE, ...(after !== undefined && { after }) };
        const { items, next_after } = await data(api.GET("/api/sessions/{id}/events", { params: { path: { id: session }, query }, signal }));
        events.push(...items.filter(({ invocation_id, type }) => invocation_id === id && type !== "tool.output_appended"));
        if (items.length < EVENTS_PAGE) return { events, isWhole: true };
        after = next_after;
      }
      return { events, isWhole: false };
    },
  });

export const verifyAudit = () => data(api.GET("/api/audit/verify"));
