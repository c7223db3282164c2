// Lists that are needed whole: names are looked up in them, and things are chosen from them. Whoever may not see one must not ask.
import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "./client";
import { everyPage, MOST_ROWS } from "./pages";
import { keys, type Agent, type Tool } from "./queries";

/** They change seldom; what changes one asks for it again. */
const CALM_MS = 60_000;

/** With those that were archived: old runs and calls name them still. */
export const everyAgentQuery = queryOptions({
  queryKey: [...keys.agents, "every"],
  queryFn: ({ signal }) => everyPage<Agent>((cursor) => data(api.GET("/api/agents", { params: { query: { archived: true, limit: MOST_ROWS, cursor } }, signal }))),
  staleTime: CALM_MS,
});

/** Those that one can still give something to. */
export const living = (agents: Agent[]): Agent[] => agents.filter(({ status }) => status !== "archived");

/** With the deprecated ones, which can be called. */
export const everyToolQuery = queryOptions({
  queryKey: [...keys.tools, "every"],
  queryFn: ({ signal }) => everyPage<Tool>((cursor) => data(api.GET("/api/tools", { params: { query: { include_deprecated: true, limit: MOST_ROWS, cursor } }, signal }))),
  staleTime: CALM_MS,
});

export const everyPersonQuery = queryOptions({
  queryKey: ["users", "every"],
  queryFn: ({ signal }) => everyPage<Schemas["UserResponse"]>((cursor) => data(api.GET("/api/users", { params: { query: { limit: MOST_ROWS, cursor } }, signal }))),
  staleTime: CALM_MS,
});

export const apiKeysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/keys", { signal }))).items,
});

export const profilesQuery = queryOptions({
  queryKey: ["profiles"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/profiles", { signal }))).items,
});

export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/providers", { signal }))).items,
});

export const secretsQuery = queryOptions({
  queryKey: ["secrets"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/secrets", { signal }))).items,
});
