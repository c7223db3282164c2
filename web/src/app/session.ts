// Who is signed in. There is no session state of our own: it is what `/api/auth/me` says.
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery, type QueryClient } from "@tanstack/react-query";
import { redirect, useRouter } from "@tanstack/react-router";

import { api, data, setCsrfToken } from "@/api/client";
import { asProblem } from "@/api/problem";
import { may, meQuery, type Me } from "@/api/queries";

import type { RouterContext } from "./roots";

/** Where to go after signing in: a path of our own, never another site. */
export function safeReturn(path: unknown): string {
  if (typeof path !== "string" || !path.startsWith("/") || path.startsWith("//") || path.includes("\\")) return "/";
  return path.startsWith("/sign-in") ? "/" : path;
}

/** For `beforeLoad` of everything behind the sign-in. */
export async function requireSession({ context, location }: { context: RouterContext; location: { href: string } }): Promise<void> {
  try {
    await context.queryClient.ensureQueryData(meQuery);
  } catch (thrown) {
    if (!asProblem(thrown).isUnauthenticated) throw thrown;
    throw redirect({ to: "/sign-in", search: { return_to: safeReturn(location.href) } });
  }
}

/** The person behind the page; only below the shell, where there always is one. */
export function useMe(): Me & { may(permission: string): boolean } {
  const { data: me } = useSuspenseQuery(meQuery);
  return { ...me, may: (permission) => may(me, permission) };
}

export interface Credentials {
  email: string;
  password: string;
  tenant?: string;
}

export function useSignIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Credentials) => data(api.POST("/api/auth/login", { body })),
    onSuccess(answer) {
      setCsrfToken(answer.csrf_token);
      forget(queryClient);
    },
    meta: { quiet: true },
  });
}

export interface FirstPerson {
  token: string;
  name: string;
  email: string;
  password: string;
}

/** Makes the first account of an installation, and signs it in. */
export function useFirstPerson() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: FirstPerson) => data(api.POST("/api/auth/first", { body })),
    onSuccess(answer) {
      setCsrfToken(answer.csrf_token);
      forget(queryClient);
    },
    meta: { quiet: true },
  });
}

export function useSignOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => data(api.POST("/api/auth/logout")),
    async onSuccess() {
      setCsrfToken(undefined);
      await router.navigate({ to: "/sign-in", search: {} });
      forget(queryClient);
    },
  });
}

/** Whatever was kept belongs to whoever was here before. How one signs in is the same for everybody, and the page that shows it is open. */
function forget(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== waysQuery.queryKey[0] });
  queryClient.getMutationCache().clear();
}

/** The ways to sign in that this server knows; nobody has to be signed in to ask. */
export const waysQuery = queryOptions({
  queryKey: ["ways"],
  queryFn: ({ signal }) => data(api.GET("/api/auth/ways", { signal })),
  staleTime: Infinity,
});

/** To another tenant that this browser is signed in to. Everything on the page belongs to the old one, so the page begins anew. */
export function useSwitchTenant() {
  return useMutation({
    mutationFn: (tenant: string) => data(api.POST("/api/auth/switch", { body: { tenant } })),
    onSuccess: () => window.location.assign("/"),
  });
}
