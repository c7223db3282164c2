import { getRouteApi } from "@tanstack/react-router";
import { ListTree } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import { NoMatch } from "@/parts/filters/NoMatch";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
import { buttonVariants } from "@/ui/button";

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
  const clear = () => void navigate({ search: {}, replace: true });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <CallFilters filters={filters} onChange={change} onClear={clear} />
      <PagedTable
        label={t("title")}
        columns={columns}
        pages={calls}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(id)}
        isCurrent={({ id }) => id === search.invocation}
        empty={countFilters(filters) > 0 ? <NoMatch title={t("noMatch.title")} onClear={clear}>{t("noMatch.text")}</NoMatch> : <NoCalls />}
      />
    </Page>
  );
}

function NoCalls() {
  const t = useT();
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
