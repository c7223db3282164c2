import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";

import { useIsPhone } from "@/parts/table/useIsPhone";
import { Button } from "@/ui/button";
import { Label } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/ui/sheet";

import { useT } from "./messages";
import { facetsQuery } from "./queries";
import { countFilters, EGRESS, ORIGINS, STATES, type Filters } from "./search";
import { useKindName } from "./useKindName";

interface FiltersProps {
  filters: Filters;
  onChange(change: Partial<Filters>): void;
}

/** In a row on a desktop; on a phone in a sheet, so that the tools keep the screen. */
export function LibraryFilters(props: FiltersProps) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const count = countFilters(props.filters);
  if (!useIsPhone()) {
    return (
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        <FilterSelects {...props} />
        {count > 0 && <ClearButton onChange={props.onChange} />}
      </div>
    );
  }
  return (
    <Sheet open={isOpen} onOpenChange={setIsOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal aria-hidden />
          {count === 0 ? t("filters") : t("filters.active", { count })}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom" className="gap-3 p-4" aria-describedby={undefined}>
        <SheetTitle>{t("filters")}</SheetTitle>
        <FilterSelects {...props} labelled />
        <Button onClick={() => setIsOpen(false)}>{t("filters.show")}</Button>
        {count > 0 && <ClearButton onChange={props.onChange} />}
      </SheetContent>
    </Sheet>
  );
}

function ClearButton({ onChange }: Pick<FiltersProps, "onChange">) {
  const t = useT();
  const none = { category: undefined, kind: undefined, origin: undefined, egress: undefined, state: undefined };
  return (
    <Button variant="ghost" aria-label={t("filters.clear")} className="md:px-2" onClick={() => onChange(none)}>
      {t("filters.clearShort")}
    </Button>
  );
}

function FilterSelects({ filters, onChange, labelled = false }: FiltersProps & { labelled?: boolean }) {
  const t = useT();
  const kindName = useKindName();
  const { data: facets } = useQuery(facetsQuery);
  const own = (values: string[] = [], chosen: string | undefined) => (chosen === undefined || values.includes(chosen) ? values : [...values, chosen]);
  const plain = (value: string) => value;
  return (
    <>
      <Choice labelled={labelled} label={t("category")} any={t("category.any")} value={filters.category} values={own(facets?.categories, filters.category)} name={plain} onChange={(category) => onChange({ category })} />
      <Choice labelled={labelled} label={t("kind")} any={t("kind.any")} value={filters.kind} values={own(facets?.kinds, filters.kind)} name={kindName} onChange={(kind) => onChange({ kind })} />
      <Choice labelled={labelled} label={t("origin")} any={t("origin.any")} value={filters.origin} values={ORIGINS} name={(value) => t(`origin.${value}`)} onChange={(origin) => onChange({ origin })} />
      <Choice labelled={labelled} label={t("egress")} any={t("egress.any")} value={filters.egress} values={EGRESS} name={(value) => t(`egress.${value}`)} onChange={(egress) => onChange({ egress })} />
      <Choice labelled={labelled} label={t("state")} any={t("state.any")} value={filters.state} values={STATES} name={(value) => t(`state.${value}`)} onChange={(state) => onChange({ state })} />
    </>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  any: string;
  value: T | undefined;
  values: readonly T[];
  name(value: T): string;
  onChange(value: T | undefined): void;
  labelled: boolean;
}

function Choice<T extends string>({ label, any, value, values, name, onChange, labelled }: ChoiceProps<T>) {
  const id = `filter-${label}`;
  const select = (
    <NativeSelect id={id} aria-label={labelled ? undefined : label} value={value ?? ""} onChange={(event) => onChange(values.find((one) => one === event.target.value))} className={labelled ? undefined : "max-w-44"}>
      <option value="">{any}</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {name(one)}
        </option>
      ))}
    </NativeSelect>
  );
  if (!labelled) return select;
  return (
    <div className="grid gap-1">
      <Label htmlFor={id}>{label}</Label>
      {select}
    </div>
  );
}
