import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { text } from "@/parts/search/params";

export interface ProvidersSearch {
  /** The provider whose drawer is open. */
  provider?: string;
}

const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/providers",
  validateSearch: ({ provider }: Record<string, unknown>): ProvidersSearch => ({ provider: text(provider) }),
  component: lazyRouteComponent(() => import("./ProvidersPage"), "ProvidersPage"),
});

export const providersRoutes = [providersRoute] as const;
