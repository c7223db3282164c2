import { useWorkspace } from "@/app/workspace";
import { Choice } from "@/parts/filters/Choice";
import { Filters } from "@/parts/filters/Filters";

import { useT } from "../messages";
import { STATUSES, type AgentsSearch } from "../search";

const NONE = { status: undefined, workspace: undefined, owner: undefined };

export function AgentFilters({ filters, onChange }: { filters: AgentsSearch; onChange(change: Partial<AgentsSearch>): void }) {
  const t = useT();
  const { all, current } = useWorkspace();
  const { status, workspace, owner } = filters;
  const workspaces = [
    ...(current ? [{ value: "all", label: t("workspace.all") }] : []),
    ...all.map(({ id, name }) => ({ value: id, label: name })),
    { value: "none", label: t("workspace.none") },
  ];
  return (
    <Filters count={[status, workspace, owner].filter((value) => value !== undefined).length} onClear={() => onChange(NONE)} show={t("filters.show")}>
      <Choice label={t("column.status")} any={t("status.any")} value={status} options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))} onChange={(next) => onChange({ status: next })} />
      <Choice label={t("column.workspace")} any={current ? t("workspace.current", { name: current.name }) : t("workspace.all")} value={workspace} options={workspaces} onChange={(next) => onChange({ workspace: next })} />
      <Choice label={t("column.owner")} any={t("owner.any")} value={owner} options={[{ value: "mine", label: t("owner.mine") }]} onChange={(next) => onChange({ owner: next })} />
    </Filters>
  );
}
