import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { asProblem, type Problem } from "@/api/problem";

import type { Complaint } from "../controls/types";
import type { Doc } from "../doc/json";
import { register } from "../queries";

/** Long enough that a sentence is one question. */
const SETTLE_MS = 500;

export type Check =
  | { state: "none" }
  | { state: "checking" }
  | { state: "refused"; problem: Problem }
  | { state: "fine"; isNew: boolean; hasChanges: boolean; warnings: string[] };

/** What the server would say if this were published now: it is asked whenever the writing pauses. */
export function useCheck(definition: Doc, isAsked: boolean): Check {
  const text = useMemo(() => JSON.stringify(definition), [definition]);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useQuery({
    queryKey: ["authoring-check", settled],
    queryFn: ({ signal }) => register(JSON.parse(settled) as Doc, true, signal),
    enabled: isAsked,
    retry: false,
    staleTime: Infinity,
    gcTime: 30_000,
  });
  if (!isAsked) return { state: "none" };
  if (settled !== text || (!data && !error)) return { state: "checking" };
  if (error) return { state: "refused", problem: asProblem(error) };
  if (!data) return { state: "checking" };
  return { state: "fine", isNew: data.created, hasChanges: data.created || data.changes.length > 0, warnings: data.warnings };
}

/** The place that a refusal is about, where it names one, and the words without it. */
export function complaintOf(problem: Problem): Complaint | undefined {
  const pointer = problem.body["pointer"];
  if (typeof pointer !== "string" || pointer === "") return undefined;
  const prefix = `${pointer}: `;
  return { pointer, message: problem.detail.startsWith(prefix) ? problem.detail.slice(prefix.length) : problem.detail };
}
