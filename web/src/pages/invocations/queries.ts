import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys, type Invocation } from "@/api/queries";

export type CallEvent = Schemas["Event"];

export const envelopeQuery = (id: string) =>
  queryOptions({
    // A receipt never changes: no event makes it old.
    queryKey: ["envelopes", id],
    queryFn: ({ signal }) => data(api.GET("/api/invocations/{id}/envelope", { params: { path: { id } }, signal })),
    staleTime: 60_000,
  });

const EVENTS_PAGE = 200;
/** A run's session has the events of all its calls: so many pages are searched for those of this one. */
const MOST_PAGES = 10;

/** The events of one call. The API lists those of its session. */
export const callEventsQuery = ({ id, session_id: session, completed_at }: Invocation) =>
  queryOptions({
    queryKey: completed_at ? ["call-events", id] : [...keys.invocations, id, "events"],
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
