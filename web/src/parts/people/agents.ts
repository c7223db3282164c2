import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { everyAgentQuery } from "@/api/every";
import type { Agent } from "@/api/queries";
import { useMe } from "@/app/session";

/** Finds an agent by its handle, its id, or the bare UUID in it: the ways in which it can have been named. */
export function useAgents(): { list: Agent[]; find(reference: string | null | undefined): Agent | undefined } {
  const me = useMe();
  const { data } = useQuery({ ...everyAgentQuery, enabled: me.may("agents.tenant.read") });
  const byName = useMemo(() => new Map((data ?? []).flatMap((agent) => [agent.handle, agent.id, bare(agent.id)].map((name) => [name, agent] as const))), [data]);
  const find = useCallback((reference: string | null | undefined) => (reference ? (byName.get(reference) ?? byName.get(bare(reference))) : undefined), [byName]);
  return { list: data ?? [], find };
}

export function bare(id: string): string {
  return id.replace(/^[a-z]+_/, "");
}
