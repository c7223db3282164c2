import { X } from "lucide-react";

import { Filters } from "@/parts/filters/Filters";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { FilterFields } from "./FilterFields";
import { countFilters, type CallSearch } from "./search";

export interface CallFiltersProps {
  filters: CallSearch;
  onChange(change: Partial<CallSearch>): void;
}

export function CallFilters({ filters, onChange, onClear }: CallFiltersProps & { onClear(): void }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Filters count={countFilters(filters)} onClear={onClear} show={t("filters.show")}>
        <FilterFields filters={filters} onChange={onChange} />
      </Filters>
      <Chips filters={filters} onChange={onChange} />
    </div>
  );
}

/** What only a link can ask for: the calls of one run, or those that one call made. */
function Chips({ filters, onChange }: CallFiltersProps) {
  const t = useT();
  return (["run", "parent"] as const).map((name) => {
    const id = filters[name];
    if (id === undefined) return null;
    return (
      <Button key={name} variant="secondary" title={id} aria-label={t(`chip.${name}.remove`)} onClick={() => onChange({ [name]: undefined })}>
        {t(`chip.${name}`)} <span className="font-mono text-xs">…{id.slice(-6)}</span>
        <X aria-hidden />
      </Button>
    );
  });
}
