import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseAuditSearch } from "./search";

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/audit",
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import("./AuditPage"), "AuditPage"),
});

export const auditRoutes = [auditRoute] as const;
