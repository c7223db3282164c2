import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { among, flag } from "@/parts/search/params";

export interface KeysSearch {
  show?: "all";
  create?: true;
}

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/keys",
  validateSearch: ({ show, create }: Record<string, unknown>): KeysSearch => ({ show: among(["all"], show), create: flag(create) }),
  component: lazyRouteComponent(() => import("./KeysPage"), "KeysPage"),
});

export const keysRoutes = [keysRoute] as const;
