// What changes an agent. The server decides again whether it may be done; afterwards everything about agents is asked anew.
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys, type Agent } from "@/api/queries";

import type { PermissionStatus } from "./queries";
import { withPermission } from "./tools/permissions";

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.agents });
}

export function useCreateAgent() {
  const refresh = useRefresh();
  return useMutation({
    // The document of the API leaves out `model_parameters`, which the server reads.
    mutationFn: (body: Schemas["CreateAgentParams"]) => data(api.POST("/api/agents", { body })),
    onSuccess: refresh,
    meta: { quiet: true },
  });
}

/** `quiet` where the page shows the refusal itself. */
export function usePatchAgent(id: string, { quiet = false } = {}) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (patch: Record<string, unknown>) => data(api.PATCH("/api/agents/{id}", { params: { path: { id } }, body: patch })),
    onSuccess: refresh,
    meta: { quiet },
  });
}

export function useArchiveAgent(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => data(api.POST("/api/agents/{id}/archive", { params: { path: { id } }, body: { confirm: true } })),
    onSuccess: refresh,
  });
}

export interface Assign {
  tool: string;
  profile?: string | null;
  allowed?: boolean;
}

export function useAssign(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Assign) => data(api.POST("/api/agents/{id}/assignments", { params: { path: { id } }, body })),
    onSuccess: refresh,
  });
}

export function useUnassign(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (tool: string) => data(api.DELETE("/api/agents/{id}/assignments/{tool}", { params: { path: { id, tool } } })),
    onSuccess: refresh,
  });
}

export interface SetPermission {
  tool: string;
  /** None takes the entry out: then the tool needs approval, if it is given to the agent at all. */
  status: PermissionStatus | undefined;
  providerKey?: string | null;
  /** The tools that the agent has, by whatever way. */
  given: ReadonlySet<string>;
}

export function useSetPermission(id: string) {
  const refresh = useRefresh();
  return useMutation({
    // The API replaces the whole list. So it is read right before, and one change waits for the other.
    scope: { id: `permissions of ${id}` },
    mutationFn: async (change: SetPermission) => {
      const path = { id };
      const now = await data(api.GET("/api/agents/{id}/tools", { params: { path } }));
      return data(api.PUT("/api/agents/{id}/tools", { params: { path }, body: { tools: withPermission(now, change) } }));
    },
    onSettled: refresh,
  });
}

/** Takes back what somebody approved for good. */
export function useRevokeOverride(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (tool: string) => data(api.DELETE("/api/agents/{id}/overrides/{tool}", { params: { path: { id, tool } } })),
    onSuccess: refresh,
  });
}

export function useStartRun(agent: Agent) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: { message: string; deadline_s?: number }) =>
      data(api.POST("/api/runs", { body: { agent: agent.handle, wait: false, history: [], ...asked } })) as Promise<Schemas["RunResponse"]>,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.runs }),
    meta: { quiet: true },
  });
}
