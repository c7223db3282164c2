// The routes that every other hangs on, apart from the tree so that an area can name its parent.
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute } from "@tanstack/react-router";

import { text } from "@/parts/search/params";

import { requireSession } from "./session";
import { Shell } from "./shell/Shell";

export interface RouterContext {
  queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({});

export interface ShellSearch {
  /** The call whose drawer is open, over whatever page. */
  invocation?: string;
}

/** Everything behind the sign-in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  validateSearch: (search: Record<string, unknown>): ShellSearch => ({ invocation: text(search.invocation) }),
  beforeLoad: requireSession,
  component: Shell,
});
