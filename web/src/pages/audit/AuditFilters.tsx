import { useQuery } from "@tanstack/react-query";

import { apiKeysQuery, everyPersonQuery } from "@/api/every";
import { useMe } from "@/app/session";
import { DateRange } from "@/parts/dates/DateRange";
import { ClearFilters } from "@/parts/filters/ClearFilters";
import { SearchField } from "@/parts/search/SearchField";
import { useAgents } from "@/parts/people/agents";

import { suggestions } from "./actions";
import { FreeCombobox } from "./FreeCombobox";
import { useT } from "./messages";
import type { AuditFilters as Filters } from "./search";

interface AuditFiltersProps {
  filters: Filters;
  onChange(next: Partial<Filters>): void;
  isAsked: boolean;
  onClear(): void;
}

/** Who, what, to what, when. */
export function AuditFilters({ filters, onChange, isAsked, onClear }: AuditFiltersProps) {
  const t = useT();
  const actors = useActors();
  const actions = suggestions().map((value) => ({ value, label: value.endsWith(".") ? t("action.all", { thing: value.slice(0, -1) }) : value }));
  return (
    <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
      <SearchField label={t("target.search")} value={filters.target ?? ""} onChange={(target) => onChange({ target: target || undefined })} className="min-w-0 flex-1 basis-full sm:max-w-xs sm:basis-56" />
      <FreeCombobox label={t("actor")} any={t("actor.any")} value={filters.actor} options={actors} onChange={(actor) => onChange({ actor })} typed={(text) => t("typed", { text })} className="w-44 max-sm:w-full" />
      <FreeCombobox label={t("action")} any={t("action.any")} value={filters.action} options={actions} onChange={(action) => onChange({ action })} typed={(text) => t("typed", { text })} className="w-44 max-sm:w-full" />
      <DateRange range={filters} onChange={onChange} zone="local" />
      {isAsked && <ClearFilters onClear={onClear} />}
    </div>
  );
}

/** Everybody whose name the reader may know. */
function useActors() {
  const t = useT();
  const me = useMe();
  const { data: people = [] } = useQuery({ ...everyPersonQuery, enabled: me.may("people.tenant.read") });
  const { data: apiKeys = [] } = useQuery({ ...apiKeysQuery, enabled: me.may("keys.tenant.update") });
  const agents = useAgents().list;
  return [
    ...people.map(({ id, name, email }) => ({ value: id, label: name || email })),
    ...apiKeys.map(({ id, name }) => ({ value: id, label: t("actor.key", { name }) })),
    ...agents.map(({ id, display_name }) => ({ value: id, label: t("actor.agent", { name: display_name }) })),
    { value: "system", label: t("actor.system") },
  ];
}
