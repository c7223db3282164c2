// Queries that several pages share. A key begins with the name of the thing, as `live.ts` invalidates by it.
import { queryOptions } from "@tanstack/react-query";

import { api, data, setCsrfToken, type Schemas } from "./client";

export type Tool = Schemas["ToolResponse"];
export type Agent = Schemas["Agent"];
export type Invocation = Schemas["InvocationResponse"];
export type Me = Schemas["MeResponse"];
export type Workspace = Schemas["Workspace"];

export const keys = {
  me: ["me"],
  tools: ["tools"],
  agents: ["agents"],
  invocations: ["invocations"],
  approvals: ["approvals"],
  runs: ["runs"],
  threads: ["threads"],
  tasks: ["tasks"],
  usage: ["usage"],
  workspaces: ["workspaces"],
  tenants: ["tenants"],
} as const;

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }) => {
    const me = await data(api.GET("/api/auth/me", { signal }));
    setCsrfToken(me.csrf_token);
    return me;
  },
  // Another tab may have signed in as somebody else: then the second token is another one as well.
  staleTime: 60_000,
  refetchOnWindowFocus: "always",
});

export function may(me: Me | undefined, permission: string): boolean {
  return me !== undefined && (me.everything || me.permissions.includes(permission));
}

export const workspacesQuery = queryOptions({
  queryKey: keys.workspaces,
  queryFn: async ({ signal }) => (await data(api.GET("/api/workspaces", { signal }))).items,
  staleTime: 300_000,
});

export const tenantsQuery = queryOptions({
  queryKey: keys.tenants,
  queryFn: async ({ signal }) => (await data(api.GET("/api/tenants", { signal }))).items,
  staleTime: 300_000,
});

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", id],
    queryFn: ({ signal }) => data(api.GET("/api/users/{id}", { params: { path: { id } }, signal })),
    staleTime: 300_000,
  });

export const approvalsCountQuery = queryOptions({
  queryKey: [...keys.approvals, "count"],
  queryFn: async ({ signal }) => (await data(api.GET("/api/approvals/count", { signal }))).pending,
});
