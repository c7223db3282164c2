import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { text } from "@/parts/search/params";

export interface SecretsSearch {
  search?: string;
  /** The name of a secret to set: a page that misses one links here. */
  set?: string;
}

export const secretsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/secrets",
  validateSearch: ({ search, set }: Record<string, unknown>): SecretsSearch => ({
    search: text(search),
    // Without a name, one that is yet to be named.
    set: typeof set === "string" ? set : undefined,
  }),
  component: lazyRouteComponent(() => import("./SecretsPage"), "SecretsPage"),
});

export const secretsRoutes = [secretsRoute] as const;
