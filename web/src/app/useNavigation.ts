import { useRouter } from "@tanstack/react-router";

import { NAVIGATION, type NavigationEntry } from "./navigation";
import { useMe } from "./session";

/** The entries that this person can use, of the pages that there are. */
export function useNavigation(): NavigationEntry[] {
  const router = useRouter();
  const me = useMe();
  return NAVIGATION.filter(({ to, needs }) => to in router.routesByPath && needs.some((permission) => me.may(permission)));
}
