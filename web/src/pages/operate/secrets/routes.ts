import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

export interface SecretsSearch {
  search?: string;
  /** The name of a secret to set: a page that misses one links here. */
  set?: string;
}

export const secretsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/secrets",
  validateSearch: ({ search, set }: Record<string, unknown>): SecretsSearch => ({
    ...(typeof search === "string" && search !== "" ? { search } : {}),
    ...(typeof set === "string" ? { set } : {}),
  }),
  component: lazyRouteComponent(() => import("./SecretsPage"), "SecretsPage"),
});

export const secretsRoutes = [secretsRoute] as const;
