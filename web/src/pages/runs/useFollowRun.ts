import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { live } from "@/api/live";
import { keys } from "@/api/queries";

import { isOver, type Run } from "./types";

/** Turns come faster than anybody reads: at most one refetch in this time. */
const SETTLE_MS = 500;

/**
 * While a run goes on, whatever happens in its session refreshes its page: what it says itself (a turn, a piece of text), and its calls as
 * they begin and end. Pieces of output refresh nothing else.
 */
export function useFollowRun(run: Run | undefined): void {
  const queryClient = useQueryClient();
  const session = run && !isOver(run) ? run.session_id : undefined;
  const id = run?.id;
  useEffect(() => {
    if (session === undefined || id === undefined) return;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const stop = live.listen((event) => {
      if (event.session_id !== session) return;
      settle ??= setTimeout(() => {
        settle = undefined;
        void queryClient.invalidateQueries({ queryKey: [...keys.runs, id] });
      }, SETTLE_MS);
    });
    return () => {
      stop();
      clearTimeout(settle);
    };
  }, [session, id, queryClient]);
}
