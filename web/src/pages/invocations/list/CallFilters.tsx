import { SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";

import { useIsPhone } from "@/parts/table/useIsPhone";
import { Button } from "@/ui/button";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/ui/sheet";

import { useT } from "../messages";
import { FilterFields } from "./FilterFields";
import { countFilters, type CallSearch } from "./search";

export interface CallFiltersProps {
  filters: CallSearch;
  onChange(change: Partial<CallSearch>): void;
  onClear(): void;
}

/** In a row on a desktop; on a phone in a sheet, so that the calls keep the screen. */
export function CallFilters(props: CallFiltersProps) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const count = countFilters(props.filters);
  const clear = count > 0 && (
    <Button variant="ghost" onClick={props.onClear}>
      {t("filters.clear")}
    </Button>
  );
  if (!useIsPhone()) {
    return (
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        <FilterFields {...props} />
        <Chips {...props} />
        {clear}
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Sheet open={isOpen} onOpenChange={setIsOpen}>
        <SheetTrigger asChild>
          <Button variant="outline">
            <SlidersHorizontal aria-hidden />
            {count === 0 ? t("filters") : t("filters.active", { count })}
          </Button>
        </SheetTrigger>
        <SheetContent side="bottom" className="gap-3 p-4" aria-describedby={undefined}>
          <SheetTitle>{t("filters")}</SheetTitle>
          <FilterFields {...props} labelled />
          <Button onClick={() => setIsOpen(false)}>{t("filters.show")}</Button>
          {clear}
        </SheetContent>
      </Sheet>
      <Chips {...props} />
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
