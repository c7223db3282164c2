import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys, runQuery } from "@/api/queries";
import { momentsOf } from "@/parts/dates/range";

import type { RunsSearch } from "./search";
import type { Call, Run, Step } from "./types";

const PAGE = 60;

export function useRuns({ agent, status, since, until }: RunsSearch): Pages<Run> {
  const query = { ...(agent !== undefined && { agent }), ...(status !== undefined && { status }), ...momentsOf({ since, until }, "local") };
  return usePages([...keys.runs, "list", query], (cursor, signal) =>
    data(api.GET("/api/runs", { params: { query: { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) } }, signal })),
  );
}

export const stepsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.runs, id, "steps"],
    queryFn: async ({ signal }) => (await data(api.GET("/api/runs/{id}/steps", { params: { path: { id } }, signal }))).items as Step[],
  });

export const callsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.runs, id, "calls"],
    queryFn: async ({ signal }) => (await data(api.GET("/api/runs/{id}/calls", { params: { path: { id } }, signal }))).items as Call[],
  });

export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.runs, id, "trace"],
    queryFn: ({ signal }) => data(api.GET("/api/runs/{id}/trace", { params: { path: { id } }, signal })),
  });

/** Other runs of the same agent, to hold this one against. */
export const peersQuery = (agent: string) =>
  queryOptions({
    queryKey: [...keys.runs, "peers", agent],
    queryFn: async ({ signal }) => (await data(api.GET("/api/runs", { params: { query: { agent, limit: 50 } }, signal }))).items as Run[],
    staleTime: 60_000,
  });

export function useCancelRun(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => data(api.POST("/api/runs/{id}/cancel", { params: { path: { id } } })),
    onSuccess: (run) => {
      queryClient.setQueryData(runQuery(id).queryKey, run);
      void queryClient.invalidateQueries({ queryKey: keys.runs });
    },
  });
}
