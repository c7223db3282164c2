// One line per area: its folder exports the routes it owns.
import { createRoute, redirect } from "@tanstack/react-router";

import { agentsRoutes } from "@/pages/agents/routes";
import { auditRoutes } from "@/pages/audit/routes";
import { authoringRoutes } from "@/pages/authoring/routes";
import { chatRoutes } from "@/pages/chat/routes";
import { inboxRoutes } from "@/pages/inbox/routes";
import { invocationsRoutes } from "@/pages/invocations/routes";
import { keysRoutes } from "@/pages/operate/keys/routes";
import { mcpServersRoutes } from "@/pages/operate/mcp-servers/routes";
import { policiesRoutes } from "@/pages/operate/policies/routes";
import { profilesRoutes } from "@/pages/operate/profiles/routes";
import { secretsRoutes } from "@/pages/operate/secrets/routes";
import { peopleRoutes } from "@/pages/people/routes";
import { providersRoutes } from "@/pages/providers/routes";
import { runsRoutes } from "@/pages/runs/routes";
import { settingsRoutes } from "@/pages/settings/routes";
import { signInRoutes } from "@/pages/sign-in/routes";
import { toolRoutes } from "@/pages/tool/routes";
import { toolsRoutes } from "@/pages/tools/routes";
import { usageRoutes } from "@/pages/usage/routes";
import { webhooksRoutes } from "@/pages/webhooks/routes";

import { rootRoute, shellRoute } from "./roots";

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/tools" });
  },
});

export const routeTree = rootRoute.addChildren([
  homeRoute,
  ...signInRoutes,
  shellRoute.addChildren([
    ...authoringRoutes,
    ...peopleRoutes,
    ...settingsRoutes,
    ...providersRoutes,
    ...webhooksRoutes,
    ...toolsRoutes,
    ...toolRoutes,
    ...invocationsRoutes,
    ...inboxRoutes,
    ...chatRoutes,
    ...runsRoutes,
    ...usageRoutes,
    ...auditRoutes,
    ...agentsRoutes,
    ...mcpServersRoutes,
    ...policiesRoutes,
    ...secretsRoutes,
    ...keysRoutes,
    ...profilesRoutes,
  ]),
]);
