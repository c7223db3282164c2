import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import { useState, type FocusEvent, type KeyboardEvent } from "react";

import { profilesQuery } from "@/api/every";
import type { Agent } from "@/api/queries";
import { useMe } from "@/app/session";
import { NoMatch } from "@/parts/filters/NoMatch";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";
import { Kbd } from "@/ui/kbd";

import { useT } from "../messages";
import { toolsByNameQuery } from "../queries";
import type { AgentSearch } from "../search";
import { useAssignmentColumns } from "./assignmentColumns";
import { TIERS } from "./permissions";
import { fitsWords, reachOf } from "./rows";
import { useToolChanges } from "./useToolChanges";
import { useToolRows } from "./useToolRows";

const route = getRouteApi("/shell/agents/$id");

/** The tools that the agent has: by which way, under which profile, with which permission, and what really happens. */
export function Assignments({ agent }: { agent: Agent }) {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { search, explain } = route.useSearch();
  const { rows, given, error, retry } = useToolRows(agent);
  const changes = useToolChanges(agent, given);
  const { data: profiles = [] } = useQuery(profilesQuery);
  const { data: tools } = useQuery(toolsByNameQuery);
  const [active, setActive] = useState<string>();
  const change = (next: Partial<AgentSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const mayEdit = me.may("agents.tenant.update") && agent.status !== "archived";
  const own = (rows ?? []).filter((row) => reachOf(row) !== "none");
  const shown = own.filter((row) => fitsWords(row, search));
  const columns = useAssignmentColumns({ agent, tools, profiles, changes, mayEdit, active: active ?? shown[0]?.name, onExplain: (name) => change({ explain: name }) });
  if (!rows) return error ? <Failed error={error} onRetry={retry} /> : <Loading />;
  if (own.length === 0) {
    return (
      <Empty icon={Wrench} title={t("assignments.none.title", { name: agent.display_name })} action={<Button onClick={() => void navigate({ search: { tab: "tools" } })}>{t("assignments.none.do")}</Button>}>
        <p>{t("assignments.none.text")}</p>
        <p className="pt-2">
          <code>toolgate tool assign --tool calculate --agent {agent.handle}</code>
        </p>
      </Empty>
    );
  }
  const rowAt = (target: EventTarget) => {
    const index = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-index]")?.dataset.index : undefined;
    return index === undefined ? undefined : shown[Number(index)];
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const tier = TIERS[Number(event.key) - 1];
    if (!mayEdit || !tier || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    const row = rowAt(event.target);
    // A write cannot be set to always: its own button says why.
    const isLocked = row?.entry?.egressClass === "write" && tier === "always_allow";
    if (!row?.entry) return;
    event.preventDefault();
    if (isLocked) (event.target as HTMLElement).closest("[data-index]")?.querySelector<HTMLElement>("[role=radio]")?.click();
    else changes.setTier(row, tier);
  };
  return (
    <div className="grid min-w-0 gap-3">
      <p className="max-w-3xl text-sm text-muted-foreground">{t("assignments.text")}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField label={t("registry.search")} value={search ?? ""} onChange={(next) => change({ search: next })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
        {mayEdit && (
          <p className="text-xs text-muted-foreground max-md:hidden">
            <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t("keys.move")} · <Kbd>1</Kbd> <Kbd>2</Kbd> <Kbd>3</Kbd> {t("keys.set")} · <Kbd>↵</Kbd> {t("keys.why")}
          </p>
        )}
      </div>
      {shown.length === 0 ? (
        <NoMatch title={t("registry.noMatch")} onClear={() => change({ search: undefined })} />
      ) : (
        // The rows and what is in them take the focus; this only hears their keys.
        // eslint-disable-next-line jsx-a11y/no-static-element-interactions
        <div onKeyDown={onKeyDown} onFocus={(event: FocusEvent) => setActive(rowAt(event.target)?.name)}>
          <DataTable label={t("section.assignments")} columns={columns} rows={shown} rowKey={({ name }) => name} isCurrent={({ name }) => name === explain} onOpen={({ name }) => change({ explain: name })} />
        </div>
      )}
    </div>
  );
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest("input,select,textarea") !== null;
}
