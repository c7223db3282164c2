import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys } from "@/api/queries";

import type { UsageDimension, UsageQuery } from "./search";

/** Sums have no events of their own: they are asked for again every minute. */
const FRESH_MS = 60_000;

export const reportQuery = (query: UsageQuery, by?: UsageDimension) =>
  queryOptions({
    queryKey: [...keys.usage, by ?? "all", query],
    queryFn: async ({ signal }) => {
      const report = await data(api.GET("/api/usage", { params: { query: { ...query, format: "json", ...(by !== undefined && { by }) } }, signal }));
      // The type knows that the answer may be CSV; asked for JSON, it is not.
      return report as Exclude<typeof report, string>;
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });

export const deprecatedQuery = (since: string) =>
  queryOptions({
    queryKey: [...keys.usage, "deprecated", since],
    queryFn: async ({ signal }) => (await data(api.GET("/api/usage/deprecated", { params: { query: { since } }, signal }))).items,
    staleTime: FRESH_MS,
  });

/** The server writes the table: the same columns as on the command line. */
export function csvPath(query: UsageQuery, by: UsageDimension): string {
  return `/api/usage?${new URLSearchParams({ ...query, by, format: "csv" }).toString()}`;
}
