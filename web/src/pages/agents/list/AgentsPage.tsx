import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { Bot, Plus } from "lucide-react";
import { useEffect, type ReactNode } from "react";

import { useShortcut } from "@/app/shortcuts";
import { useMe } from "@/app/session";
import { useWorkspace } from "@/app/workspace";
import { NoMatch } from "@/parts/filters/NoMatch";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
import { buttonVariants } from "@/ui/button";

import { useT } from "../messages";
import { useAgents } from "../queries";
import type { AgentsSearch } from "../search";
import { AgentFilters } from "./AgentFilters";
import { pathOf, useColumns } from "./columns";
import { chosen } from "./filter";

const route = getRouteApi("/shell/agents");

export function AgentsPage() {
  const t = useT();
  const me = useMe();
  const router = useRouter();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { current } = useWorkspace();
  const { search: words, status, workspace = current?.id, owner } = search;
  const columns = useColumns();
  const agents = useAgents(compact({ owner: owner === "mine" ? me.user?.id : undefined, archived: status === "archived" ? (true as const) : undefined }));
  const rows = chosen(agents.rows, { search: words, status, workspace });
  const isAsked = [words, status, search.workspace, owner].some((value) => value !== undefined);
  const mayCreate = me.may("agents.tenant.create");
  useShortcut({ keys: "n", label: t("new"), group: t("title"), run: () => void router.navigate({ to: "/agents/new" }) }, mayCreate);

  // The server has no such filters: all of its pages are looked through.
  const { hasMore, more } = agents;
  const isChoosing = words !== undefined || status !== undefined || (workspace !== undefined && workspace !== "all");
  useEffect(() => {
    if (isChoosing && hasMore) more();
  }, [isChoosing, hasMore, more]);

  const change = (next: Partial<AgentsSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const create = mayCreate ? (
    <Link to="/agents/new" className={buttonVariants()}>
      <Plus aria-hidden />
      {t("new")}
    </Link>
  ) : undefined;
  return (
    <Page title={t("title")} lead={t("lead")} actions={create}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t("search")} value={words ?? ""} onChange={(next) => change({ search: next })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
        <AgentFilters filters={search} onChange={change} />
      </div>
      <PagedTable
        label={t("title")}
        columns={columns}
        pages={agents}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={(agent) => router.history.push(pathOf(agent))}
        empty={isAsked ? <NoMatch title={t("noMatch.title")} onClear={() => void navigate({ search: {}, replace: true })}>{t("noMatch.text")}</NoMatch> : <NoAgents create={create} />}
      />
    </Page>
  );
}

function NoAgents({ create }: { create: ReactNode }) {
  const t = useT();
  return (
    <Empty icon={Bot} title={t("none.title")} action={create}>
      <p>{t("none.text")}</p>
      <p className="pt-2">{create ? <code>toolgate agent create clerk --name Clerk --tool calculate</code> : t("none.ask")}</p>
    </Empty>
  );
}
