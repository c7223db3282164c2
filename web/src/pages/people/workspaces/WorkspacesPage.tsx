import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Boxes, Plus } from "lucide-react";
import { useState } from "react";

import { workspacesQuery, type Workspace } from "@/api/queries";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { usePeople, type Person } from "../queries";
import { AddWorkspace } from "./AddWorkspace";
import { WorkspaceDrawer } from "./WorkspaceDrawer";

const route = getRouteApi("/shell/operate/workspaces");

/** The teams of the tenant: who shares agents, secrets and work with whom. */
export function WorkspacesPage() {
  const t = useT();
  const mayChange = useMe().may("people.tenant.update");
  const navigate = route.useNavigate();
  const { workspace: openId } = route.useSearch();
  const { data: workspaces, error, refetch } = useQuery(workspacesQuery);
  const people = usePeople(true);
  const [isAdding, setIsAdding] = useState(false);
  const show = (workspace: string | undefined) => void navigate({ search: (old) => compact({ ...old, workspace }), replace: workspace === undefined });
  const columns = useColumns(people.rows, people.hasMore || people.isLoading || people.error !== null);
  const shown = workspaces?.find(({ id }) => id === openId);
  const add = mayChange && (
    <Button onClick={() => setIsAdding(true)}>
      <Plus aria-hidden />
      {t("workspaces.add")}
    </Button>
  );
  return (
    <Page title={t("workspaces.title")} lead={t("workspaces.lead")} actions={add}>
      {error && !workspaces ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !workspaces ? (
        <Loading />
      ) : workspaces.length === 0 ? (
        <Empty icon={Boxes} title={t("workspaces.none")} action={add}>
          {t("workspaces.none.text")}
        </Empty>
      ) : (
        <DataTable label={t("workspaces.title")} columns={columns} rows={workspaces} rowKey={({ id }) => id} onOpen={({ id }) => show(id)} isCurrent={({ id }) => id === openId} />
      )}
      {isAdding && <AddWorkspace onClose={() => setIsAdding(false)} />}
      {shown && <WorkspaceDrawer workspace={shown} people={people.rows} error={people.error} onRetry={people.retry} isLoading={people.isLoading || people.hasMore} mayChange={mayChange} onClose={() => show(undefined)} />}
    </Page>
  );
}

function useColumns(people: Person[], isPartial: boolean): Column<Workspace>[] {
  const t = useT();
  const membersOf = ({ id }: Workspace) => people.filter(({ workspaces }) => workspaces.includes(id));
  return [
    { id: "name", header: t("workspaces.column.name"), width: "minmax(0,2fr)", phone: "title", cell: ({ name }) => <span className="block truncate font-medium">{name}</span> },
    { id: "slug", header: t("workspaces.column.slug"), width: "minmax(0,1fr)", cell: ({ slug }) => <code className="font-mono text-xs">{slug}</code> },
    { id: "members", header: t("workspaces.column.members"), width: "minmax(0,3fr)", cell: (workspace) => <Members people={membersOf(workspace)} isPartial={isPartial} /> },
  ];
}

const SHOWN_NAMES = 3;

function Members({ people, isPartial }: { people: Person[]; isPartial: boolean }) {
  const t = useT();
  if (isPartial) return <span className="text-muted-foreground">…</span>;
  if (people.length === 0) return <span className="text-muted-foreground">{t("workspaces.nobody")}</span>;
  const names = people.slice(0, SHOWN_NAMES).map(({ name }) => name).join(", ");
  const rest = people.length - SHOWN_NAMES;
  return <span className="block truncate">{rest > 0 ? t("workspaces.andMore", { names, count: rest }) : names}</span>;
}
