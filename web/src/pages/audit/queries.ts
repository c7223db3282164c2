import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";

import { toQuery, type AuditFilters } from "./search";

export type AuditEvent = Schemas["AuditEvent"];

const KEY = "audit";
const PAGE = 100;
const NEWEST_MS = 15_000;
const VERIFIED_MS = 300_000;

export function useAudit(filters: AuditFilters): Pages<AuditEvent> {
  const query = toQuery(filters);
  return usePages([KEY, "list", query], async (cursor, signal) => {
    const page = await data(api.GET("/api/audit", { params: { query: { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) } }, signal }));
    return page as { items: AuditEvent[]; next_cursor?: string | null };
  });
}

/** Changes of rules have no stream: the newest event is asked for now and then, so that the page can say when there is more. */
export const newestQuery = (filters: AuditFilters) => {
  const query = toQuery(filters);
  return queryOptions({
    queryKey: [KEY, "newest", query],
    queryFn: async ({ signal }) => (await data(api.GET("/api/audit", { params: { query: { ...query, limit: 1 } }, signal }))).items[0]?.id ?? null,
    refetchInterval: NEWEST_MS,
    staleTime: 0,
  });
};

/** One event, for an address that names one which is not on the page. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, "event", id],
    queryFn: async ({ signal }) => (await data(api.GET("/api/audit/{id}", { params: { path: { id } }, signal }))) as AuditEvent,
    staleTime: Infinity,
  });

/** Reads the whole chain, so it is asked once, and again by hand. */
export const verifyQuery = queryOptions({
  queryKey: [KEY, "verify"],
  queryFn: ({ signal }) => data(api.GET("/api/audit/verify", { signal })),
  staleTime: VERIFIED_MS,
  refetchOnWindowFocus: false,
});
