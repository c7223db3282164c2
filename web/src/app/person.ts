// The name of whoever is signed in. `/api/auth/me` tells only the id, and not everybody may read users: the answer to the
// sign-in has the name too, so this browser remembers it.
import { useQuery } from "@tanstack/react-query";

import { personQuery } from "@/api/queries";

import { useMe } from "./session";

const keyOf = (id: string) => `toolgate.name.${id}`;

export function rememberName(id: string, name: string): void {
  try {
    localStorage.setItem(keyOf(id), name);
  } catch {
    // Then the id has to do.
  }
}

function remembered(id: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(id)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function useMyName(): string {
  const me = useMe();
  const isPerson = me.principal.startsWith("usr_");
  const { data } = useQuery({ ...personQuery(me.principal), enabled: isPerson && me.may("people.tenant.read") });
  return data?.name ?? remembered(me.principal) ?? me.principal;
}
