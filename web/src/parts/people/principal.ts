// Who stands behind `usr_…`, `key_…`, `agt_…`: a name where the server gives one, the kind where it does not.
import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import type { Me } from "@/api/queries";
import { useMe } from "@/app/session";

import { useT } from "./messages";

export type PrincipalKind = "person" | "key" | "agent" | "webhook" | "system" | "somebody";

const PREFIXES: Record<string, PrincipalKind> = { usr: "person", key: "key", agt: "agent", whk: "webhook", system: "system" };

export function kindOf(id: string): PrincipalKind {
  return PREFIXES[id.split("_", 1)[0] ?? ""] ?? "somebody";
}

/** A list shows many ids at once: those that are asked for within this time are one question. */
const GATHER_MS = 20;
const MOST_IDS = 100;

type Names = Map<string, string>;
let gathering: { ids: Set<string>; names: Promise<Names> } | undefined;

function ask(id: string): Promise<string | undefined> {
  if (!gathering || gathering.ids.size >= MOST_IDS) {
    const ids = new Set<string>();
    const names = new Promise((settled) => setTimeout(settled, GATHER_MS)).then(() => {
      if (gathering?.ids === ids) gathering = undefined;
      return namesOf(ids);
    });
    gathering = { ids, names };
  }
  gathering.ids.add(id);
  return gathering.names.then((names) => names.get(id));
}

async function namesOf(ids: Set<string>): Promise<Names> {
  const { items } = await data(api.GET("/api/principals", { params: { query: { ids: [...ids].join(",") } } }));
  return new Map(items.map(({ id, name }) => [id, name]));
}

const nameQuery = (id: string) =>
  queryOptions({
    queryKey: ["principals", id],
    queryFn: async () => (await ask(id)) ?? null,
    staleTime: 300_000,
    retry: false,
  });

/** The name, where there is one; never a failure. */
export async function nameOf(queryClient: QueryClient, me: Me, id: string): Promise<string | undefined> {
  if (id === me.principal && me.user) return me.user.name;
  return queryClient.fetchQuery(nameQuery(id)).then(
    (name) => name ?? undefined,
    () => undefined,
  );
}

/** “Pia Approver”, “You”, or “A person” where nobody has that name any more. */
export function usePrincipalName(id: string | null | undefined): string {
  const t = useT();
  const me = useMe();
  const isKnown = !id || id === me.principal || kindOf(id) === "system";
  const { data: name } = useQuery({ ...nameQuery(id ?? ""), enabled: !isKnown });
  if (!id) return t("nobody");
  if (id === me.principal) return t("you");
  return name ?? t(kindOf(id));
}
