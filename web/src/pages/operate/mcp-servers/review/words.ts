import { useT } from "../messages";

/** The words of a difference, for those who do not see its colours. */
export function useDiffWords() {
  const t = useT();
  return { removed: t("raw.removed"), added: t("raw.added"), same: (count: number) => t("raw.same", { count }) };
}
