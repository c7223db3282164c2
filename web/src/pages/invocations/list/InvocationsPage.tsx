import { getRouteApi } from "@tanstack/react-router";
import { ListTree, SearchX } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { Button, buttonVariants } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

import { useT } from "../messages";
import { CallFilters } from "./CallFilters";
import { useColumns } from "./columns";
import { countFilters, filtersOf, type CallSearch } from "./search";
import { useCalls } from "./useCalls";

const route = getRouteApi("/shell/invocations");

/** Every call there was, the newest first, as they come. */
export function InvocationsPage() {
  const t = useT();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const filters = filtersOf(search);
  const calls = useCalls(filters);
  const columns = useColumns();
  const change = (next: Partial<CallSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const open = (id: string) => void navigate({ search: (old) => ({ ...old, invocation: id }) });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <CallFilters filters={filters} onChange={change} onClear={() => void navigate({ search: {}, replace: true })} />
      {calls.isLoading ? (
        <Loading className="gap-1.5">
          {Array.from({ length: 12 }, (_, index) => (
            <Skeleton key={index} className="h-9" />
          ))}
        </Loading>
      ) : calls.error && calls.rows.length === 0 ? (
        <Failed error={calls.error} onRetry={calls.retry} />
      ) : calls.rows.length === 0 ? (
        <NoCalls isAsked={countFilters(filters) > 0} onClear={() => void navigate({ search: {}, replace: true })} />
      ) : (
        <DataTable
          label={t("title")}
          columns={columns}
          rows={calls.rows}
          rowKey={({ id }) => id}
          onOpen={({ id }) => open(id)}
          isCurrent={({ id }) => id === search.invocation}
          hasMore={calls.hasMore}
          isLoadingMore={calls.isLoadingMore}
          onMore={calls.more}
          isStale={calls.isStale}
        />
      )}
    </Page>
  );
}

function NoCalls({ isAsked, onClear }: { isAsked: boolean; onClear(): void }) {
  const t = useT();
  if (isAsked) {
    return (
      <Empty icon={SearchX} title={t("noMatch.title")} action={<Button variant="outline" onClick={onClear}>{t("filters.clear")}</Button>}>
        {t("noMatch.text")}
      </Empty>
    );
  }
  return (
    <Empty
      icon={ListTree}
      title={t("none.title")}
      action={
        <PathLink path="/tools" className={buttonVariants()}>
          {t("none.action")}
        </PathLink>
      }
    >
      <p>{t("none.text")}</p>
      <p className="pt-2">
        <code>toolgate tool call calculate --input expression=&apos;1+1&apos;</code>
      </p>
    </Empty>
  );
}
