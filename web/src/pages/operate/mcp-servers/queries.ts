import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";

export type McpServer = Schemas["Upstream"];
export type McpTool = Schemas["McpToolResponse"];
export type ToolRule = Schemas["UpstreamToolRule"];
export type Definition = Schemas["UpstreamTool"];
export type Change = Schemas["UpstreamChange"];

export const SERVERS = ["mcp-servers"] as const;

/** No event tells of servers: they are asked about while somebody looks. */
const LOOK_MS = 15_000;

export const serversQuery = queryOptions({
  queryKey: SERVERS,
  queryFn: async ({ signal }) => (await data(api.GET("/api/mcp/servers", { signal }))).items,
  refetchInterval: LOOK_MS,
});

export const serverQuery = (name: string) =>
  queryOptions({
    queryKey: [...SERVERS, name],
    queryFn: ({ signal }) => data(api.GET("/api/mcp/servers/{name}", { params: { path: { name } }, signal })),
    refetchInterval: LOOK_MS,
  });

export const serverToolsQuery = (name: string) =>
  queryOptions({
    queryKey: [...SERVERS, name, "tools"],
    queryFn: async ({ signal }) => (await data(api.GET("/api/mcp/servers/{name}/tools", { params: { path: { name } }, signal }))).items,
    refetchInterval: LOOK_MS,
  });
