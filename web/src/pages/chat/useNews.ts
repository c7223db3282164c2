import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { live } from "@/api/live";
import { keys } from "@/api/queries";

/** Another window may have said something in this thread: its run begins, and that is told to everybody. */
export function useNews(thread: string, sessionId: string | undefined, isFollowing: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (sessionId === undefined || isFollowing) return;
    return live.listen((event) => {
      if (event.session_id === sessionId) void queryClient.invalidateQueries({ queryKey: [...keys.threads, thread, "messages"] });
    });
  }, [queryClient, thread, sessionId, isFollowing]);
}
