import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { everyToolQuery } from "@/api/every";
import { everyPage, MOST_ROWS, usePages, type Pages } from "@/api/pages";
import { keys, type Agent, type Invocation, type Tool } from "@/api/queries";
import { compact } from "@/parts/search/params";

export type Assignment = Schemas["Assignment"];
export type Profile = Schemas["Profile"];
export type CatalogEntry = Schemas["CatalogEntry"];
export type Permissions = Schemas["AgentToolsResponse"];
export type PermissionStatus = Schemas["PermissionStatus"];
export type Explanation = Schemas["ExplainResponse"];
export type Run = Schemas["RunResponse"];
export type AgentAction = Schemas["AgentAction"];
export type UsageItem = Schemas["UsageItem"];

const after = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

export function useAgents(filter: { owner?: string; archived?: true }): Pages<Agent> {
  return usePages([...keys.agents, "list", filter], (cursor, signal) =>
    data(api.GET("/api/agents", { params: { query: { ...filter, limit: MOST_ROWS, ...after(cursor) } }, signal })),
  );
}

export const catalogQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.agents, "one", id, "catalog"],
    queryFn: async ({ signal }) => (await data(api.GET("/api/agents/{id}/tools/catalog", { params: { path: { id } }, signal }))).tools,
  });

export const permissionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.agents, "one", id, "permissions"],
    queryFn: ({ signal }) => data(api.GET("/api/agents/{id}/tools", { params: { path: { id } }, signal })),
  });

export const assignmentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.agents, "one", id, "assignments"],
    queryFn: ({ signal }) =>
      everyPage((cursor) => data(api.GET("/api/agents/{id}/assignments", { params: { path: { id }, query: { limit: MOST_ROWS, ...after(cursor) } }, signal }))),
  });

/** Risk, state and missing secrets are with the tools; the catalog of an agent does not have them. */
export const toolsByNameQuery = { ...everyToolQuery, select: byName };

function byName(tools: Tool[]): Map<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** What would happen if the agent called the tool now. Nothing is recorded by asking. */
export const explainQuery = (agent: string, tool: string, input: Record<string, unknown> = {}) =>
  queryOptions({
    queryKey: [...keys.agents, "one", agent, "explain", tool, input],
    queryFn: ({ signal }) => data(api.POST("/api/decisions/explain", { body: { agent, tool, input }, signal })),
  });

export function useRuns(agent: string, limit: number): Pages<Run> {
  return usePages([...keys.runs, "of", agent], (cursor, signal) => data(api.GET("/api/runs", { params: { query: { agent, limit, ...after(cursor) } }, signal })));
}

export function useActions(agent: string, limit: number): Pages<AgentAction> {
  return usePages([...keys.invocations, "actions", agent], (cursor, signal) =>
    data(api.GET("/api/agents/{id}/actions", { params: { path: { id: agent }, query: { limit, ...after(cursor) } }, signal })),
  );
}

export interface CallFilter {
  status?: string;
  tool?: string;
  since?: string;
}

export function useCalls(agent: string, filter: CallFilter): Pages<Invocation> {
  const query = compact(filter);
  return usePages([...keys.invocations, "agent", agent, query], (cursor, signal) =>
    data(api.GET("/api/invocations", { params: { query: { agent, ...query, limit: 100, ...after(cursor) } }, signal })),
  );
}

/** What waits for a person. Those who may not decide see the same calls among the invocations. */
export function usePending(agent: string, mayDecide: boolean): Pages<Invocation> {
  return usePages([...keys.approvals, "agent", agent, mayDecide], (cursor, signal) => {
    const query = { agent, limit: MOST_ROWS, ...after(cursor) };
    return mayDecide
      ? data(api.GET("/api/approvals", { params: { query }, signal }))
      : data(api.GET("/api/invocations", { params: { query: { ...query, status: "pending" } }, signal }));
  });
}

/** Of the last 30 days, by day. */
export const usageQuery = (agent: string) =>
  queryOptions({
    queryKey: [...keys.usage, "agent", agent],
    queryFn: async ({ signal }) => (await data(api.GET("/api/usage", { params: { query: { agent, by: "day" } }, signal }))) as Schemas["UsageReportResponse"],
  });
