import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { live } from "@/api/live";
import { keys } from "@/api/queries";

import { isOver, type Run } from "./types";

/** Turns come faster than anybody reads: at most one refetch in this time. */
const SETTLE_MS = 500;

/**
 * While a run goes on, what it says itself (a turn, a piece of text) refreshes its page. Those events are pieces of output, which refresh
 * nothing else.
 */
export function useFollowRun(run: Run | undefined): void {
  const queryClient = useQueryClient();
  const invocation = run && !isOver(run) ? run.invocation_id : undefined;
  const id = run?.id;
  useEffect(() => {
    if (invocation === undefined || id === undefined) return;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const stop = live.listen((event) => {
      if (event.invocation_id !== invocation) return;
      settle ??= setTimeout(() => {
        settle = undefined;
        void queryClient.invalidateQueries({ queryKey: [...keys.runs, id] });
      }, SETTLE_MS);
    });
    return () => {
      stop();
      clearTimeout(settle);
    };
  }, [invocation, id, queryClient]);
}
