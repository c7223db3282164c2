import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { live, type LiveEventType } from "@/api/live";
import { keys } from "@/api/queries";

/** A call that makes a task says so only by beginning, and one that takes it back only by ending: the task follows a moment later. */
const SETTLE_MS = 500;
const TELLING: readonly LiveEventType[] = ["tool.started", "tool.cancelled", "tool.failed"];
/** What others do with a task has no event of its own. */
const POLL_MS = 10_000;

export function useTasksFresh(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: keys.tasks });
    };
    const stop = live.listen(({ type }) => {
      if (TELLING.includes(type)) timer ??= setTimeout(refresh, SETTLE_MS);
    });
    const poll = setInterval(refresh, POLL_MS);
    return () => {
      stop();
      clearTimeout(timer);
      clearInterval(poll);
    };
  }, [queryClient]);
}
