import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseUsageSearch } from "./search";

const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/usage",
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import("./UsagePage"), "UsagePage"),
});

export const usageRoutes = [usageRoute] as const;
