import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseSearch } from "./list/search";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/invocations",
  validateSearch: parseSearch,
  component: lazyRouteComponent(() => import("./list/InvocationsPage"), "InvocationsPage"),
});

/** A call as a page of its own, for links in mails and tickets. Elsewhere it is a drawer. */
const callRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/invocations/$id",
  component: lazyRouteComponent(() => import("./call/InvocationPage"), "InvocationPage"),
});

export const invocationsRoutes = [listRoute, callRoute] as const;
