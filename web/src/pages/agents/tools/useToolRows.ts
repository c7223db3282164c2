import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Agent } from "@/api/queries";

import { assignmentsQuery, catalogQuery, permissionsQuery } from "../queries";
import { rowsOf, isReached, type ToolRow } from "./rows";

export interface ToolRows {
  /** None while it loads. */
  rows: ToolRow[] | undefined;
  /** The tools that the agent has, by whatever way. */
  given: ReadonlySet<string>;
  error: Error | null;
  retry(): void;
}

/** Catalog, assignments and permissions of an agent, told as one list. */
export function useToolRows(agent: Agent): ToolRows {
  const catalog = useQuery(catalogQuery(agent.id));
  const permissions = useQuery(permissionsQuery(agent.id));
  const assignments = useQuery(assignmentsQuery(agent.id));
  const rows = useMemo(
    () => (catalog.data && permissions.data && assignments.data ? rowsOf(agent, catalog.data, permissions.data, assignments.data) : undefined),
    [agent, catalog.data, permissions.data, assignments.data],
  );
  const given = useMemo(() => new Set((rows ?? []).filter(isReached).map(({ name }) => name)), [rows]);
  return {
    rows,
    given,
    error: catalog.error ?? permissions.error ?? assignments.error,
    retry: () => void Promise.all([catalog.refetch(), permissions.refetch(), assignments.refetch()]),
  };
}
