import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys } from "@/api/queries";

import { spelled, type PolicyDocument } from "./document";

export type PolicyVersion = Schemas["PolicyResponse"];
export type Decision = Schemas["Decision"];

export interface ReplayedDecision {
  invocation_id: string;
  tool: string;
  caller: string;
  created_at: string;
  was: Decision;
  would_be: Decision;
}

export interface Replay {
  version: string;
  judged: number;
  skipped: number;
  changes: ReplayedDecision[];
}

const POLICIES = ["policies"] as const;
const LOOK_MS = 30_000;

export const policiesQuery = queryOptions({
  queryKey: POLICIES,
  queryFn: async ({ signal }) => (await data(api.GET("/api/policies", { signal }))).items,
  refetchInterval: LOOK_MS,
});

const replay = async (policy: PolicyDocument, last: number, signal?: AbortSignal) =>
  (await data(api.POST("/api/policies/replay", { body: { policy: policy as unknown as Record<string, never>, last }, signal }))) as unknown as Replay;

/** Whether the server would take the document: judging a single call makes it compile, and try every example. */
export const checkQuery = (document: PolicyDocument) =>
  queryOptions({
    queryKey: ["policy-check", spelled(document)],
    queryFn: async ({ signal }) => {
      await replay(document, 1, signal);
      return true;
    },
    staleTime: Infinity,
    gcTime: LOOK_MS,
  });

export function useReplay() {
  return useMutation({ mutationFn: ({ document, last }: { document: PolicyDocument; last: number }) => replay(document, last), meta: { quiet: true } });
}

export function usePutPolicy() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (document: PolicyDocument) => data(api.POST("/api/policies", { body: document as unknown as Record<string, never> })),
    onSuccess: () => Promise.all([queryClient.invalidateQueries({ queryKey: POLICIES }), queryClient.invalidateQueries({ queryKey: keys.approvals })]),
    meta: { quiet: true },
  });
}

export function useExplain() {
  return useMutation({
    mutationFn: (body: Schemas["ExplainParams"]) => data(api.POST("/api/decisions/explain", { body })),
    meta: { quiet: true },
  });
}
