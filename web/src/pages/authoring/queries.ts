import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys, type Tool } from "@/api/queries";
import { compact } from "@/parts/search/params";

import type { Doc } from "./doc/json";
import type { AuthoringSearch } from "./search";

export type Version = Schemas["ToolVersion"];
export type Usage = Schemas["ToolUsage"];
export type ToolSettings = Schemas["ToolSettings"];
export type Alias = Schemas["PutAliasResponse"];

const PAGE_SIZE = 60;
const path = (name: string) => ({ params: { path: { name } } });

export function useToolList({ tab = "tenant", search, state }: AuthoringSearch): Pages<Tool> {
  const query = compact({
    origin: tab === "code" ? "code" : "tenant_custom",
    search,
    lifecycle: state,
    include_deprecated: state === undefined ? true : undefined,
  });
  return usePages([...keys.tools, "authoring", query], async (cursor, signal) => {
    const page = await data(api.GET("/api/tools", { params: { query: { ...query, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) } }, signal }));
    // The server counts what was deleted among what is deprecated; here it has a list of its own.
    return state === undefined ? { ...page, items: page.items.filter(({ lifecycle }) => lifecycle !== "archived") } : page;
  });
}

/** Beside the tool as the library shows it: here a tool may be blocked, archived, or switched off. */
export const versionsQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.tools, "one", name, "versions"],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tools/{name}/versions", { ...path(name), signal }))).items,
  });

export const settingsQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.tools, "one", name, "settings"],
    queryFn: ({ signal }) => data(api.GET("/api/tools/{name}/settings", { ...path(name), signal })),
  });

export const diffQuery = (name: string, from: string, to: string) =>
  queryOptions({
    queryKey: [...keys.tools, "one", name, "diff", from, to],
    queryFn: ({ signal }) => data(api.GET("/api/tools/{name}/diff", { params: { path: { name }, query: { from, to } }, signal })),
  });

export const usageQuery = (name: string, since: string) =>
  queryOptions({
    queryKey: [...keys.tools, "one", name, "usage", since],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tools/{name}/usage", { params: { path: { name }, query: { since } }, signal }))).items,
  });

export const aliasesQuery = queryOptions({
  queryKey: [...keys.tools, "aliases"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/aliases", { signal }))).items,
});

/** Registers a definition, or only asks what would happen. */
export function register(definition: Doc, isDryRun: boolean, signal?: AbortSignal) {
  return data(api.POST("/api/tools", { params: { query: isDryRun ? { dry_run: true } : {} }, body: definition as never, signal }));
}

export function putSettings(name: string, settings: ToolSettings) {
  return data(api.PUT("/api/tools/{name}/settings", { ...path(name), body: settings }));
}

export function patchTool(name: string, patch: Doc) {
  return data(api.PATCH("/api/tools/{name}", { ...path(name), body: patch as never }));
}

export function deleteTool(name: string) {
  return data(api.DELETE("/api/tools/{name}", path(name)));
}

export function restoreTool(name: string, version: string) {
  return data(api.POST("/api/tools/{name}/restore", { ...path(name), body: { version } }));
}
