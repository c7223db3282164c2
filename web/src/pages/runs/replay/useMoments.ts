import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { runQuery } from "@/api/queries";

import { callsQuery, stepsQuery } from "../queries";
import { momentsOf, type Moment } from "./moments";

/** The moments of any run. */
export function useMoments(id: string): { moments: Moment[] | undefined; error: Error | null } {
  const run = useQuery(runQuery(id));
  const steps = useQuery(stepsQuery(id));
  const calls = useQuery(callsQuery(id));
  const moments = useMemo(() => (run.data && steps.data && calls.data ? momentsOf(run.data, steps.data, calls.data) : undefined), [run.data, steps.data, calls.data]);
  return { moments, error: run.error ?? steps.error ?? calls.error };
}
