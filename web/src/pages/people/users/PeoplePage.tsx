import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { SearchX, UserPlus, Users } from "lucide-react";
import { useState } from "react";

import { useMe } from "@/app/session";
import { workspacesQuery } from "@/api/queries";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { usePeople } from "../queries";
import { isFound, type PeopleSearch } from "../search";
import { AddPerson } from "./AddPerson";
import { useColumns } from "./columns";
import { PersonDrawer } from "./PersonDrawer";

const route = getRouteApi("/shell/operate/people");
const STATES = ["active", "disabled"] as const;

/** Who belongs to the tenant, what they may do, and how they get in. */
export function PeoplePage() {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { search = "", status, person } = route.useSearch();
  const isAsked = search !== "" || status !== undefined;
  const people = usePeople(isAsked);
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const columns = useColumns(workspaces);
  const [isAdding, setIsAdding] = useState(false);
  const change = (next: Partial<PeopleSearch>, replace = true) => void navigate({ search: (old) => compact({ ...old, ...next }), replace });
  const found = people.rows.filter((one) => isFound(one, search) && (status === undefined || one.status === status));
  const mayChange = me.may("people.tenant.update");
  const add = (
    <Button onClick={() => setIsAdding(true)}>
      <UserPlus aria-hidden />
      {t("people.add")}
    </Button>
  );
  return (
    <Page title={t("people.title")} lead={t("people.lead")} actions={mayChange ? add : undefined}>
      {people.error && people.rows.length === 0 ? (
        <Failed error={people.error} onRetry={people.retry} />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <SearchField label={t("people.search")} value={search} onChange={(next) => change({ search: next })} className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48" />
            <NativeSelect aria-label={t("people.status")} value={status ?? ""} onChange={(event) => change({ status: STATES.find((one) => one === event.target.value) })}>
              <option value="">{t("people.status.any")}</option>
              {STATES.map((one) => (
                <option key={one} value={one}>
                  {t(`people.status.${one}`)}
                </option>
              ))}
            </NativeSelect>
          </div>
          {people.isLoading ? (
            <Loading />
          ) : found.length > 0 ? (
            <DataTable
              label={t("people.title")}
              columns={columns}
              rows={found}
              rowKey={({ id }) => id}
              onOpen={({ id }) => change({ person: id }, false)}
              isCurrent={({ id }) => id === person}
              hasMore={people.hasMore}
              isLoadingMore={people.isLoadingMore}
              onMore={people.more}
            />
          ) : people.error ? (
            <Failed error={people.error} onRetry={people.retry} />
          ) : people.hasMore ? (
            <Loading />
          ) : isAsked ? (
            <Empty icon={SearchX} title={t("people.noMatch")} action={<Button variant="outline" onClick={() => change({ search: undefined, status: undefined })}>{t("people.clear")}</Button>} />
          ) : (
            <Empty icon={Users} title={t("people.none")} action={mayChange ? add : undefined}>
              {t("people.none.text")}
            </Empty>
          )}
        </>
      )}
      {isAdding && <AddPerson onClose={() => setIsAdding(false)} />}
      {person !== undefined && !people.error && <PersonDrawer id={person} onClose={() => change({ person: undefined })} />}
    </Page>
  );
}
