import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseRunSearch, parseRunsSearch } from "./search";

const runsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/runs",
  validateSearch: parseRunsSearch,
  component: lazyRouteComponent(() => import("./list/RunsPage"), "RunsPage"),
});

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/runs/$id",
  validateSearch: parseRunSearch,
  component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
});

export const runsRoutes = [runsRoute, runRoute] as const;
