import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseAgent, parseAgents } from "./search";

const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/agents",
  validateSearch: parseAgents,
  component: lazyRouteComponent(() => import("./list/AgentsPage"), "AgentsPage"),
});

const newAgentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/agents/new",
  component: lazyRouteComponent(() => import("./form/NewAgentPage"), "NewAgentPage"),
});

const agentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/agents/$id",
  validateSearch: parseAgent,
  component: lazyRouteComponent(() => import("./agent/AgentPage"), "AgentPage"),
});

export const agentsRoutes = [agentsRoute, newAgentRoute, agentRoute] as const;
