import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Wrench } from "lucide-react";

import type { Agent } from "@/api/queries";
import { EGRESS } from "@/api/words";
import { useMe } from "@/app/session";
import { Choice } from "@/parts/filters/Choice";
import { NoMatch } from "@/parts/filters/NoMatch";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { toolsByNameQuery } from "../queries";
import type { AgentSearch } from "../search";
import { GivenBadge } from "./GivenBadge";
import { fitsWords, reachOf, type ToolRow } from "./rows";
import { ToolCell } from "./ToolCell";
import { useToolChanges } from "./useToolChanges";
import { useToolRows } from "./useToolRows";

const route = getRouteApi("/shell/agents/$id");

/** Everything that the agent could be given, with what each touches. One click gives it, one takes it back. */
export function Registry({ agent }: { agent: Agent }) {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { search, egress, given: isGiven } = route.useSearch();
  const { rows, given, error, retry } = useToolRows(agent);
  const changes = useToolChanges(agent, given);
  const { data: tools } = useQuery(toolsByNameQuery);
  const mayEdit = me.may("agents.tenant.update") && agent.status !== "archived";
  const change = (next: Partial<AgentSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  if (!rows) return error ? <Failed error={error} onRetry={retry} /> : <Loading />;
  const catalog = rows.filter(({ entry }) => entry !== undefined);
  const shown = catalog.filter(
    (row) => fitsWords(row, search) && (egress === undefined || row.entry?.egressClass === egress) && (isGiven === undefined || (reachOf(row) !== "none") === (isGiven === "yes")),
  );
  const columns: Column<ToolRow>[] = [
    { id: "tool", header: t("column.tool"), width: "minmax(0,3fr)", phone: "title", cell: (row) => <ToolCell row={row} tool={tools?.get(row.name)} /> },
    { id: "category", header: t("column.category"), width: "minmax(0,8rem)", phone: "hidden", cell: (row) => <span className="block truncate">{row.entry?.category}</span> },
    { id: "given", header: t("column.given"), width: "minmax(0,10rem)", cell: (row) => <GivenBadge row={row} /> },
    ...(mayEdit ? [{ id: "do", header: t("column.do"), width: "8rem", align: "end" as const, phone: "title" as const, cell: (row: ToolRow) => <GiveButton row={row} onGive={() => changes.give(row)} onTake={() => changes.takeAway(row)} /> }] : []),
  ];
  return (
    <div className="grid min-w-0 gap-3">
      <p className="max-w-3xl text-sm text-muted-foreground">{t("registry.text", { name: agent.display_name })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t("registry.search")} value={search ?? ""} onChange={(next) => change({ search: next })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
        <Choice label={t("egress")} any={t("egress.any")} value={egress} options={EGRESS.map((value) => ({ value, label: t(`egress.${value}`) }))} onChange={(next) => change({ egress: next })} />
        <Choice label={t("column.given")} any={t("given.any")} value={isGiven} options={(["yes", "no"] as const).map((value) => ({ value, label: t(`given.${value}`) }))} onChange={(next) => change({ given: next })} />
      </div>
      {catalog.length === 0 ? (
        <Empty icon={Wrench} title={t("registry.none.title")}>
          <p>{t("registry.none.text")}</p>
          <p className="pt-2">
            <code>toolgate pack install analysis</code>
          </p>
        </Empty>
      ) : shown.length === 0 ? (
        <NoMatch title={t("registry.noMatch")} onClear={() => change({ search: undefined, egress: undefined, given: undefined })} />
      ) : (
        <DataTable label={t("section.registry")} columns={columns} rows={shown} rowKey={({ name }) => name} onOpen={({ name }) => change({ explain: name })} />
      )}
    </div>
  );
}

/** What comes by its category cannot be taken back here one by one; what is denied can be allowed. */
function GiveButton({ row, onGive, onTake }: { row: ToolRow; onGive(): void; onTake(): void }) {
  const t = useT();
  const reach = reachOf(row);
  if (reach === "category") return null;
  const isGiven = reach !== "none" && reach !== "denied";
  return (
    <Button variant={isGiven ? "ghost" : "outline"} size="sm" aria-label={t(isGiven ? "revoke.of" : "assign.of", { tool: row.name })} onClick={isGiven ? onTake : onGive}>
      {t(isGiven ? "revoke" : "assign")}
    </Button>
  );
}
