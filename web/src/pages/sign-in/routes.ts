import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { rootRoute } from "@/app/roots";

export interface SignInSearch {
  return_to?: string;
  /** The slug of the tenant; none: the installation's own. */
  tenant?: string;
  /** Why somebody comes back from elsewhere and is not signed in. */
  failed?: Failure;
}

const FAILURES = ["stale", "refused", "unknown", "unavailable"] as const;
export type Failure = (typeof FAILURES)[number];

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...(typeof search.return_to === "string" && { return_to: search.return_to }),
    ...(typeof search.tenant === "string" && { tenant: search.tenant }),
    ...(FAILURES.some((known) => known === search.failed) && { failed: search.failed as Failure }),
  }),
  component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
});

export const signInRoutes = [signInRoute] as const;
