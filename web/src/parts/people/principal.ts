// Who stands behind `usr_…`, `key_…`, `agt_…`. Names are asked for where the reader may know them; the rest is said in a word.
import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys, may, personQuery, type Me } from "@/api/queries";
import { useMe } from "@/app/session";

import { useT } from "./messages";

export type PrincipalKind = "person" | "key" | "agent" | "webhook" | "system" | "somebody";

const PREFIXES: Record<string, PrincipalKind> = { usr: "person", key: "key", agt: "agent", whk: "webhook", system: "system" };

export function kindOf(id: string): PrincipalKind {
  return PREFIXES[id.split("_", 1)[0] ?? ""] ?? "somebody";
}

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.agents, id],
    queryFn: ({ signal }) => data(api.GET("/api/agents/{id}", { params: { path: { id } }, signal })),
    staleTime: 60_000,
  });

/** The name, where there is one that this reader may know; never a failure. */
export async function nameOf(queryClient: QueryClient, me: Me, id: string): Promise<string | undefined> {
  if (id === me.principal) return me.user?.name;
  try {
    if (kindOf(id) === "person" && may(me, "people.tenant.read")) return (await queryClient.fetchQuery(personQuery(id))).name;
    if (kindOf(id) === "agent" && may(me, "agents.tenant.read")) return (await queryClient.fetchQuery(agentQuery(id))).display_name;
  } catch {
    // Gone, or not for this reader: the kind has to do.
  }
  return undefined;
}

/** “Pia Approver”, “You”, or “A person” where the name is not for this reader. */
export function usePrincipalName(id: string | null | undefined): string {
  const t = useT();
  const me = useMe();
  const { data: name } = useQuery({
    queryKey: ["principals", id, me.principal],
    queryFn: async ({ client }) => (await nameOf(client, me, id ?? "")) ?? null,
    enabled: typeof id === "string",
    staleTime: 300_000,
  });
  if (!id) return t("nobody");
  if (id === me.principal) return t("you");
  return name ?? t(kindOf(id));
}
