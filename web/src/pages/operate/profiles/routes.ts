import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

export interface ProfilesSearch {
  /** The profile whose drawer is open; `new` for one that is being made. */
  profile?: string;
}

export const profilesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/profiles",
  validateSearch: ({ profile }: Record<string, unknown>): ProfilesSearch => (typeof profile === "string" ? { profile } : {}),
  component: lazyRouteComponent(() => import("./ProfilesPage"), "ProfilesPage"),
});

export const profilesRoutes = [profilesRoute] as const;
