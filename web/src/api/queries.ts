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

// One thing by its name stands apart from the lists of its kind: a tool may be called `every`.
export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.tools, "one", name],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tools/{name}", { params: { path: { name } }, signal }))) as Tool,
  });

/** The tool of a call, by `name@version`. One that is gone leaves its answers to be shown by their shape. */
export const calledToolQuery = (key: string) => ({ ...toolQuery(key), staleTime: 60_000, retry: false });

/** By id or handle. */
export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.agents, "one", id],
    queryFn: ({ signal }) => data(api.GET("/api/agents/{id}", { params: { path: { id } }, signal })),
  });

/** What is over does not change, but the addresses of its files are good for a while only. */
const KEPT_MS = 60_000;
const fetchedAt = new WeakMap<Invocation, number>();

export const invocationQuery = (id: string) => {
  const queryKey = [...keys.invocations, "one", id];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Invocation> => {
      // Each event of any call asks again; an answer of megabytes that cannot have changed is not fetched for that.
      const known = client.getQueryData<Invocation>(queryKey);
      if (known?.completed_at && Date.now() - (fetchedAt.get(known) ?? 0) < KEPT_MS) return known;
      const call = await data(api.GET("/api/invocations/{id}", { params: { path: { id } }, signal }));
      fetchedAt.set(call, Date.now());
      return call;
    },
    structuralSharing: false,
  });
};

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.runs, id],
    queryFn: ({ signal }) => data(api.GET("/api/runs/{id}", { params: { path: { id } }, signal })),
  });

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => data(api.GET("/api/settings", { signal })),
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
