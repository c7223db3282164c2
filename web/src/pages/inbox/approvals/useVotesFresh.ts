import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { keys, type Invocation } from "@/api/queries";
import { termsOf } from "@/parts/decision";

/** Where several must agree, the yes of another has no event of its own. */
const POLL_MS = 10_000;

export function useVotesFresh(calls: readonly Invocation[]): void {
  const queryClient = useQueryClient();
  const hasQuorum = calls.some((call) => termsOf(call).quorum > 1);
  useEffect(() => {
    if (!hasQuorum) return;
    const timer = setInterval(() => void queryClient.invalidateQueries({ queryKey: keys.approvals }), POLL_MS);
    return () => clearInterval(timer);
  }, [queryClient, hasQuorum]);
}
