import { getRouteApi, useRouter } from "@tanstack/react-router";
import { LayoutGrid, Library, List, SearchX } from "lucide-react";

import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
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
  const count = tools.rows.length;
  const isAsked = countFilters(filters) > 0 || filters.search !== undefined;
  const views = (
    <>
      <p role="status" className="text-sm whitespace-nowrap text-muted-foreground tabular-nums">
        {!tools.isLoading && t(tools.hasMore ? "foundMore" : "found", { count })}
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
  return (
    <Page title={t("title")} lead={t("lead")} actions={isPhone ? undefined : views}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t("search")} value={filters.search ?? ""} onChange={(search) => change({ search })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
        <LibraryFilters filters={filters} onChange={change} />
        {isPhone && <div className="ml-auto flex items-center gap-3">{views}</div>}
      </div>
      {tools.isLoading ? (
        <LoadingTools view={view} />
      ) : tools.error && count === 0 ? (
        <Failed error={tools.error} onRetry={tools.retry} />
      ) : count === 0 ? (
        <NoTools isAsked={isAsked} onClear={() => void navigate({ search: compact({ view: view === "grid" ? undefined : view }), replace: true })} />
      ) : view === "grid" ? (
        <ToolGrid label={t("title")} tools={tools.rows} hasMore={tools.hasMore} onMore={tools.more} isStale={tools.isStale} />
      ) : (
        <DataTable
          label={t("title")}
          columns={columns}
          rows={tools.rows}
          rowKey={(tool) => tool.id}
          onOpen={(tool) => router.history.push(pathOf(tool))}
          hasMore={tools.hasMore}
          isLoadingMore={tools.isLoadingMore}
          onMore={tools.more}
          isStale={tools.isStale}
        />
      )}
    </Page>
  );
}

function LoadingTools({ view }: { view: "grid" | "table" }) {
  const places = Array.from({ length: 12 }, (_, index) => <Skeleton key={index} className={view === "grid" ? "h-32" : "h-9"} />);
  return <Loading className={view === "grid" ? "grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))]" : "gap-1.5"}>{places}</Loading>;
}

function NoTools({ isAsked, onClear }: { isAsked: boolean; onClear(): void }) {
  const t = useT();
  if (isAsked) {
    return (
      <Empty icon={SearchX} title={t("noMatch.title")} action={<Button variant="outline" onClick={onClear}>{t("filters.clear")}</Button>}>
        {t("noMatch.text")}
      </Empty>
    );
  }
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
