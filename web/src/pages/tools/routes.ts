import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseSearch } from "./search";

const libraryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tools",
  validateSearch: parseSearch,
  component: lazyRouteComponent(() => import("./LibraryPage"), "LibraryPage"),
});

export const toolsRoutes = [libraryRoute] as const;
