import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { among } from "@/parts/search/params";

export interface InboxSearch {
  /** Without it, the calls that wait for a yes. */
  show?: "tasks";
}

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/inbox",
  validateSearch: (search: Record<string, unknown>): InboxSearch => ({ show: among(["tasks"], search.show) }),
  component: lazyRouteComponent(() => import("./InboxPage"), "InboxPage"),
});

export const inboxRoutes = [inboxRoute] as const;
