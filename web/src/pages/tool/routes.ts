import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { toolQuery } from "@/api/queries";
import { shellRoute } from "@/app/roots";
import { among, text } from "@/parts/search/params";

export interface ToolSearch {
  /** The call whose input fills the form. */
  from?: string;
  /** Whose calls the history shows. */
  history?: "all";
}

export const toolRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tools/$slug",
  validateSearch: (search: Record<string, unknown>): ToolSearch => ({ from: text(search.from), history: among(["all"], search.history) }),
  // The page shows its own failure, so nothing is thrown here.
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(toolQuery(params.slug)),
  component: lazyRouteComponent(() => import("./ToolPage"), "ToolPage"),
});

export const toolRoutes = [toolRoute] as const;
