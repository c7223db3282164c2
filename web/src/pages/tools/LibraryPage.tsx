import { getRouteApi, useRouter } from "@tanstack/react-router";
import { LayoutGrid, Library, List } from "lucide-react";

import { useShortcut } from "@/app/shortcuts";
import { NoMatch } from "@/parts/filters/NoMatch";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { pathOf, useColumns } from "./columns";
import { LibraryFilters } from "./LibraryFilters";
import { useT } from "./messages";
import { useTools } from "./queries";
import { countFilters, filtersOf, type LibrarySearch } from "./search";
import { ToolGrid } from "./ToolGrid";

const route = getRouteApi("/shell/tools");

export function LibraryPage() {
  const t = useT();
  const router = useRouter();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const filters = filtersOf(search);
  const { view = "grid" } = search;
  const tools = useTools(filters);
  const columns = useColumns();
  const isPhone = useIsPhone();
  const change = (next: Partial<LibrarySearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const show = (next: string) => (next === "grid" || next === "table") && change({ view: next === "grid" ? undefined : next });
  useShortcut({ keys: "v", label: t("shortcuts.view"), group: t("shortcuts"), run: () => show(view === "grid" ? "table" : "grid") });
  const isAsked = countFilters(filters) > 0 || filters.search !== undefined;
  const views = (
    <>
      <p role="status" className="text-sm whitespace-nowrap text-muted-foreground tabular-nums">
        {!tools.isLoading && t(tools.hasMore ? "foundMore" : "found", { count: tools.rows.length })}
      </p>
      <ToggleGroup type="single" value={view} onValueChange={show} aria-label={t("view")}>
        <ToggleGroupItem value="grid" aria-label={t("view.grid")}>
          <LayoutGrid aria-hidden />
        </ToggleGroupItem>
        <ToggleGroupItem value="table" aria-label={t("view.table")}>
          <List aria-hidden />
        </ToggleGroupItem>
      </ToggleGroup>
    </>
  );
  const clear = () => void navigate({ search: compact({ view: view === "grid" ? undefined : view }), replace: true });
  const empty = isAsked ? <NoMatch title={t("noMatch.title")} onClear={clear}>{t("noMatch.text")}</NoMatch> : <NoTools />;
  return (
    <Page title={t("title")} lead={t("lead")} actions={isPhone ? undefined : views}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t("search")} value={filters.search ?? ""} onChange={(search) => change({ search })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
        <LibraryFilters filters={filters} onChange={change} />
        {isPhone && <div className="ml-auto flex items-center gap-3">{views}</div>}
      </div>
      {view === "grid" ? (
        <ToolGrid label={t("title")} tools={tools} empty={empty} />
      ) : (
        <PagedTable label={t("title")} columns={columns} pages={tools} rowKey={({ id }) => id} onOpen={(tool) => router.history.push(pathOf(tool))} empty={empty} />
      )}
    </Page>
  );
}

function NoTools() {
  const t = useT();
  return (
    <Empty icon={Library} title={t("none.title")}>
      <p>{t("none.text")}</p>
      <p className="pt-2">
        <code>toolgate tool register --file TOOL.md --apply</code>
      </p>
      <p className="pt-1">
        <code>toolgate pack install analysis</code>
      </p>
    </Empty>
  );
}
