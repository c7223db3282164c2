import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parsePeople, parseWorkspaces } from "./search";

const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/people",
  validateSearch: parsePeople,
  component: lazyRouteComponent(() => import("./users/PeoplePage"), "PeoplePage"),
});

const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/roles",
  component: lazyRouteComponent(() => import("./roles/RolesPage"), "RolesPage"),
});

const workspacesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/workspaces",
  validateSearch: parseWorkspaces,
  component: lazyRouteComponent(() => import("./workspaces/WorkspacesPage"), "WorkspacesPage"),
});

const tenantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/tenants",
  component: lazyRouteComponent(() => import("./tenants/TenantsPage"), "TenantsPage"),
});

export const peopleRoutes = [peopleRoute, rolesRoute, workspacesRoute, tenantsRoute] as const;
