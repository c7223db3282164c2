import { useMe } from "./session";

/** The name of whoever is signed in; a key has none. */
export function useMyName(): string {
  const me = useMe();
  return me.user?.name ?? me.principal;
}
