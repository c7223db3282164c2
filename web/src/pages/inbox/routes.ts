import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

export interface InboxSearch {
  /** Without it, the calls that wait for a yes. */
  show?: "tasks";
}

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/inbox",
  validateSearch: (search: Record<string, unknown>): InboxSearch => (search.show === "tasks" ? { show: "tasks" } : {}),
  component: lazyRouteComponent(() => import("./InboxPage"), "InboxPage"),
});

export const inboxRoutes = [inboxRoute] as const;
