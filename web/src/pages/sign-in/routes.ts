import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { rootRoute } from "@/app/roots";
import { among, text } from "@/parts/search/params";

export interface SignInSearch {
  return_to?: string;
  /** The slug of the tenant; none: the installation's own. */
  tenant?: string;
  /** Why somebody comes back from elsewhere and is not signed in. */
  failed?: Failure;
}

const FAILURES = ["stale", "refused", "unknown", "unavailable"] as const;
type Failure = (typeof FAILURES)[number];

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    // A way back is as long as it is.
    return_to: typeof search.return_to === "string" ? search.return_to : undefined,
    tenant: text(search.tenant),
    failed: among(FAILURES, search.failed),
  }),
  component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
});

/** Where the link of the first start leads. What stands behind its `#` is the code; no server sees it with the address. */
const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./WelcomePage"), "WelcomePage"),
});

export const signInRoutes = [signInRoute, welcomeRoute] as const;
