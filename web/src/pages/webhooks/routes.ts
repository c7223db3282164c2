import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";
import { text } from "@/parts/search/params";

export interface WebhooksSearch {
  /** The webhook whose drawer is open. */
  webhook?: string;
}

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/operate/webhooks",
  validateSearch: ({ webhook }: Record<string, unknown>): WebhooksSearch => ({ webhook: text(webhook) }),
  component: lazyRouteComponent(() => import("./WebhooksPage"), "WebhooksPage"),
});

export const webhooksRoutes = [webhooksRoute] as const;
