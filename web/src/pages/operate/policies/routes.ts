import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

export interface PoliciesSearch {
  tab?: "versions" | "explain";
  view?: "json";
}

export const policiesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/policies",
  validateSearch: (search: Record<string, unknown>): PoliciesSearch => ({
    ...(search.tab === "versions" || search.tab === "explain" ? { tab: search.tab } : {}),
    ...(search.view === "json" ? { view: "json" as const } : {}),
  }),
  component: lazyRouteComponent(() => import("./PoliciesPage"), "PoliciesPage"),
});

export const policiesRoutes = [policiesRoute] as const;
