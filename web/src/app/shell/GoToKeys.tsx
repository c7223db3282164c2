import { useRouter } from "@tanstack/react-router";

import { useT } from "../messages";
import type { NavigationEntry } from "../navigation";
import { useShortcut } from "../shortcuts";
import { useNavigation } from "../useNavigation";

/** `g` and a letter go to a page. */
export function GoToKeys() {
  return useNavigation().map((entry) => <GoToKey key={entry.to} entry={entry} />);
}

function GoToKey({ entry }: { entry: NavigationEntry }) {
  const t = useT();
  const router = useRouter();
  useShortcut({ keys: `g ${entry.key}`, label: t(entry.label), group: t("shortcuts.goTo"), run: () => router.history.push(entry.to) });
  return null;
}
