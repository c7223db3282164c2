import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

export interface ProvidersSearch {
  /** The provider whose drawer is open. */
  provider?: string;
}

const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/providers",
  validateSearch: ({ provider }: Record<string, unknown>): ProvidersSearch => (typeof provider === "string" && provider !== "" ? { provider } : {}),
  component: lazyRouteComponent(() => import("./ProvidersPage"), "ProvidersPage"),
});

export const providersRoutes = [providersRoute] as const;
