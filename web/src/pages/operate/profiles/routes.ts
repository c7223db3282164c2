import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { text } from "@/parts/search/params";

export interface ProfilesSearch {
  /** The profile whose drawer is open; `new` for one that is being made. */
  profile?: string;
}

export const profilesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/profiles",
  validateSearch: ({ profile }: Record<string, unknown>): ProfilesSearch => ({ profile: text(profile) }),
  component: lazyRouteComponent(() => import("./ProfilesPage"), "ProfilesPage"),
});

export const profilesRoutes = [profilesRoute] as const;
