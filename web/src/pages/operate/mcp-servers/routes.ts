import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { flag } from "@/parts/search/params";

import { loginSearch, type ServerSearch } from "./search";

export const mcpServersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/mcp-servers",
  validateSearch: (search: Record<string, unknown>): { add?: true } => ({ add: flag(search.add) }),
  component: lazyRouteComponent(() => import("./ServersPage"), "ServersPage"),
});

export const mcpServerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/mcp-servers/$name",
  validateSearch: (search: Record<string, unknown>): ServerSearch => ({ change: flag(search.change), ...loginSearch(search) }),
  component: lazyRouteComponent(() => import("./ServerPage"), "ServerPage"),
});

export const mcpServersRoutes = [mcpServersRoute, mcpServerRoute] as const;
