import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

const libraryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tools",
  component: lazyRouteComponent(() => import("./LibraryPage"), "LibraryPage"),
});

export const toolsRoutes = [libraryRoute] as const;
