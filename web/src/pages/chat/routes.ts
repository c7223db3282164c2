import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseChat, parseThread } from "./search";

export const chatRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/chat",
  validateSearch: parseChat,
  component: lazyRouteComponent(() => import("./ChatPage"), "ChatPage"),
});

export const threadRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/chat/$thread",
  validateSearch: parseThread,
  component: lazyRouteComponent(() => import("./ThreadPage"), "ThreadPage"),
});

export const chatRoutes = [chatRoute, threadRoute] as const;
