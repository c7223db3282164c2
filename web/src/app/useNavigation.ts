import { useRouter } from "@tanstack/react-router";

import { INSTALLATION, NAVIGATION, type NavigationEntry } from "./navigation";
import { useMe } from "./session";

/** The entries that this person can use, of the pages that there are. */
export function useNavigation(): NavigationEntry[] {
  const router = useRouter();
  const me = useMe();
  const isHere = ({ installation = false }: NavigationEntry) => !installation || me.tenant === INSTALLATION;
  return NAVIGATION.filter((entry) => entry.to in router.routesByPath && isHere(entry) && entry.needs.some((permission) => me.may(permission)));
}
