import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";

import { useWorkspace } from "@/app/workspace";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { Button } from "@/ui/button";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/ui/sheet";

import { Choice } from "../Choice";
import { useT } from "../messages";
import { STATUSES, type AgentsSearch } from "../search";

interface FiltersProps {
  filters: AgentsSearch;
  onChange(change: Partial<AgentsSearch>): void;
}

/** In a row on a desktop; on a phone in a sheet, so that the agents keep the screen. */
export function AgentFilters(props: FiltersProps) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsPhone()) {
    return (
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        <Selects {...props} />
      </div>
    );
  }
  return (
    <Sheet open={isOpen} onOpenChange={setIsOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal aria-hidden />
          {t("filters")}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom" className="gap-3 p-4" aria-describedby={undefined}>
        <SheetTitle>{t("filters")}</SheetTitle>
        <Selects {...props} labelled />
        <Button onClick={() => setIsOpen(false)}>{t("filters.show")}</Button>
      </SheetContent>
    </Sheet>
  );
}

function Selects({ filters, onChange, labelled = false }: FiltersProps & { labelled?: boolean }) {
  const t = useT();
  const { all, current } = useWorkspace();
  const workspaces = [
    ...(current ? [{ value: "all", label: t("workspace.all") }] : []),
    ...all.map(({ id, name }) => ({ value: id, label: name })),
    { value: "none", label: t("workspace.none") },
  ];
  return (
    <>
      <Choice labelled={labelled} label={t("column.status")} any={t("status.any")} value={filters.status} options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))} onChange={(status) => onChange({ status: STATUSES.find((one) => one === status) })} />
      <Choice labelled={labelled} label={t("column.workspace")} any={current ? t("workspace.current", { name: current.name }) : t("workspace.all")} value={filters.workspace} options={workspaces} onChange={(workspace) => onChange({ workspace })} />
      <Choice labelled={labelled} label={t("column.owner")} any={t("owner.any")} value={filters.owner} options={[{ value: "mine", label: t("owner.mine") }]} onChange={(owner) => onChange({ owner: owner === "mine" ? owner : undefined })} />
    </>
  );
}
