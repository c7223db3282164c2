import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { among } from "@/parts/search/params";

export interface PoliciesSearch {
  tab?: "versions" | "explain";
  view?: "json";
}

export const policiesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/policies",
  validateSearch: (search: Record<string, unknown>): PoliciesSearch => ({
    tab: among(["versions", "explain"], search.tab),
    view: among(["json"], search.view),
  }),
  component: lazyRouteComponent(() => import("./PoliciesPage"), "PoliciesPage"),
});

export const policiesRoutes = [policiesRoute] as const;
