// Lists that several of these pages look names up in.
import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys, type Agent, type Tool } from "@/api/queries";

import { allPages } from "./all-pages";

export type ApiKey = Schemas["KeyResponse"];
export type Secret = Schemas["SecretResponse"];

const PAGE = 200;
const CALM_MS = 60_000;

export const agentsQuery = queryOptions({
  queryKey: [...keys.agents, "all"],
  queryFn: ({ signal }) => allPages<Agent>((cursor) => data(api.GET("/api/agents", { params: { query: { limit: PAGE, cursor } }, signal }))),
  staleTime: CALM_MS,
});

export const toolsQuery = queryOptions({
  queryKey: [...keys.tools, "all"],
  queryFn: ({ signal }) =>
    allPages<Tool>(async (cursor) => (await data(api.GET("/api/tools", { params: { query: { limit: PAGE, cursor } }, signal }))) as { items: Tool[]; next_cursor?: string | null }),
  staleTime: CALM_MS,
});

export const apiKeysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/keys", { signal }))).items,
});

export const secretsQuery = queryOptions({
  queryKey: ["secrets"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/secrets", { signal }))).items,
});
