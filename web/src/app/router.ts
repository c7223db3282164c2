import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";

import { asProblem } from "@/api/problem";
import { keys } from "@/api/queries";

import { NotFoundPage } from "./NotFoundPage";
import { CrashPage } from "./CrashPage";
import { notify } from "./notify";
import { routeTree } from "./routes";
import { safeReturn } from "./session";

declare module "@tanstack/react-query" {
  interface Register {
    // `quiet`: the page shows the failure itself, so there is no toast.
    mutationMeta: { quiet?: boolean };
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenOver }),
  mutationCache: new MutationCache({
    onError(thrown, _variables, _context, mutation) {
      leaveWhenOver(thrown);
      if (mutation.meta?.quiet !== true) notify.failed(thrown);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What is refused stays refused; what passes is worth two more tries.
      retry: (failures, thrown) => failures < 2 && asProblem(thrown).isPassing,
    },
  },
});

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  scrollToTopSelectors: ["#main"],
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: CrashPage,
});

/** A session can end under an open page: then one signs in again, and comes back to where one was. */
function leaveWhenOver(thrown: unknown): void {
  const { pathname, href } = router.state.location;
  if (!asProblem(thrown).isUnauthenticated || pathname === "/sign-in") return;
  // Only then is forgotten who was here: the page that is left asks for it as long as it is seen.
  void router.navigate({ to: "/sign-in", search: { return_to: safeReturn(href) } }).then(() => queryClient.removeQueries({ queryKey: keys.me }));
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
