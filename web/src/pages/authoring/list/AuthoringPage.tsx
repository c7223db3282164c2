import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { PencilRuler, Plus, SearchX } from "lucide-react";
import { useState } from "react";

import { useMe } from "@/app/session";
import { useShortcut } from "@/app/shortcuts";
import { Choice } from "@/parts/filters/Choice";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
import { Button, buttonVariants } from "@/ui/button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { keptSlots } from "../doc/drafts";
import { useT } from "../messages";
import { useToolList } from "../queries";
import { STATES, type AuthoringSearch } from "../search";
import { useColumns } from "./columns";
import { ImportButton } from "./ImportButton";
import { NotAllowed } from "./NotAllowed";
import { OpenByName } from "./OpenByName";

const route = getRouteApi("/shell/admin/tools");

/** The tools that one writes, and those that one may only adjust. */
export function AuthoringPage() {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const mayWrite = me.may("tools.tenant.create") || me.may("tools.tenant.update");
  useShortcut({ keys: "n", label: t("shortcuts.new"), group: t("title"), run: () => void navigate({ to: "/admin/tools/new" }) }, mayWrite);
  const actions = mayWrite && (
    <>
      <ImportButton />
      <NewToolLink />
    </>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={actions || undefined}>
      {mayWrite ? <Lists /> : <NotAllowed />}
    </Page>
  );
}

function NewToolLink() {
  const t = useT();
  return (
    <Link to="/admin/tools/new" className={buttonVariants()}>
      <Plus aria-hidden />
      {t("new")}
    </Link>
  );
}

function Lists() {
  const t = useT();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { tab = "tenant", state } = search;
  const [drafts] = useState(keptSlots);
  const change = (next: Partial<AuthoringSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  return (
    <Tabs value={tab} onValueChange={(next) => change({ tab: next === "code" ? "code" : undefined, state: undefined })}>
      <TabsList aria-label={t("tabs")}>
        <TabsTrigger value="tenant">{t("tab.tenant")}</TabsTrigger>
        <TabsTrigger value="code">{t("tab.code")}</TabsTrigger>
      </TabsList>
      <TabsContent value={tab} className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <SearchField label={t("search")} value={search.search ?? ""} onChange={(text) => change({ search: text || undefined })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
          {tab === "tenant" && <Choice label={t("state")} any={t("state.any")} value={state} options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))} onChange={(next) => change({ state: next })} />}
        </div>
        {tab === "tenant" && drafts.includes("") && (
          <p className="flex flex-wrap items-center gap-2 rounded-lg border bg-info-soft px-3 py-2 text-sm text-info">
            {t("list.draft")}
            <Link to="/admin/tools/new" className="font-medium underline underline-offset-2 max-md:py-2">
              {t("list.draft.open")}
            </Link>
          </p>
        )}
        <Rows search={search} drafts={drafts} onClear={() => change({ search: undefined, state: undefined })} />
        {tab === "code" && <OpenByName />}
      </TabsContent>
    </Tabs>
  );
}

function Rows({ search, drafts, onClear }: { search: AuthoringSearch; drafts: string[]; onClear(): void }) {
  const t = useT();
  const navigate = useNavigate();
  const tools = useToolList(search);
  const columns = useColumns(drafts);
  const isAsked = search.search !== undefined || search.state !== undefined;
  const empty = isAsked ? (
    <Empty icon={SearchX} title={t("noMatch")} action={<Button variant="outline" onClick={onClear}>{t("noMatch.clear")}</Button>} />
  ) : (
    <Empty icon={PencilRuler} title={t("none")} action={<><NewToolLink /><ImportButton /></>}>
      <p>{t("none.body")}</p>
      <p className="pt-2">
        <code>toolgate tool register --file TOOL.md --apply</code>
      </p>
    </Empty>
  );
  return <PagedTable label={t(`tab.${search.tab ?? "tenant"}`)} columns={columns} pages={tools} rowKey={({ id }) => id} onOpen={({ name }) => void navigate({ to: "/admin/tools/$name", params: { name } })} empty={empty} />;
}
