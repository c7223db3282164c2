import { useQuery } from "@tanstack/react-query";

import { EGRESS } from "@/api/words";
import { Choice } from "@/parts/filters/Choice";
import { Filters } from "@/parts/filters/Filters";

import { useT } from "./messages";
import { facetsQuery } from "./queries";
import { countFilters, ORIGINS, STATES, type Filters as Chosen } from "./search";
import { useKindName } from "./useKindName";

const NONE = { category: undefined, kind: undefined, origin: undefined, egress: undefined, state: undefined };

export function LibraryFilters({ filters, onChange }: { filters: Chosen; onChange(change: Partial<Chosen>): void }) {
  const t = useT();
  const kindName = useKindName();
  const { data: facets } = useQuery(facetsQuery);
  const categories = (facets?.categories ?? []).map((value) => ({ value, label: value }));
  const kinds = (facets?.kinds ?? []).map((value) => ({ value, label: kindName(value) }));
  return (
    <Filters count={countFilters(filters)} onClear={() => onChange(NONE)} show={t("filters.show")}>
      <Choice label={t("category")} any={t("category.any")} value={filters.category} options={categories} onChange={(category) => onChange({ category })} />
      <Choice label={t("kind")} any={t("kind.any")} value={filters.kind} options={kinds} onChange={(kind) => onChange({ kind })} />
      <Choice label={t("origin")} any={t("origin.any")} value={filters.origin} options={ORIGINS.map((value) => ({ value, label: t(`origin.${value}`) }))} onChange={(origin) => onChange({ origin })} />
      <Choice label={t("egress")} any={t("egress.any")} value={filters.egress} options={EGRESS.map((value) => ({ value, label: t(`egress.${value}`) }))} onChange={(egress) => onChange({ egress })} />
      <Choice label={t("state")} any={t("state.any")} value={filters.state} options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))} onChange={(state) => onChange({ state })} />
    </Filters>
  );
}
