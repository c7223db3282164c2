import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, SlidersHorizontal } from "lucide-react";

import { profilesQuery } from "@/api/every";
import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";

import { useAccess } from "../shared/access";
import { useT } from "./messages";
import { Overrides } from "./Overrides";
import { ProfileSheet } from "./ProfileSheet";
import { assignmentsQuery, type Assignment, type Profile } from "./queries";

const route = getRouteApi("/shell/operate/profiles");
const NEW = "new";

export function ProfilesPage() {
  const t = useT();
  const navigate = route.useNavigate();
  const { profile: opened } = route.useSearch();
  const { has } = useAccess();
  const { data: profiles, error, refetch } = useQuery(profilesQuery);
  const { data: assignments = [] } = useQuery(assignmentsQuery);
  const columns = useColumns(assignments);
  const mayChange = has("agents:write");
  const show = (profile: string | undefined) => void navigate({ search: profile === undefined ? {} : { profile }, replace: true });
  useShortcut({ keys: "n", label: t("create"), group: t("shortcuts"), run: () => show(NEW) }, mayChange);
  const button = mayChange && (
    <Button onClick={() => show(NEW)}>
      <Plus aria-hidden />
      {t("create")}
    </Button>
  );
  const open = profiles?.find(({ id, name }) => id === opened || name === opened);
  return (
    <Page title={t("title")} lead={t("lead")} actions={profiles && profiles.length > 0 ? button || undefined : undefined}>
      {error && !profiles ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !profiles ? (
        <Loading />
      ) : profiles.length === 0 ? (
        <Empty icon={SlidersHorizontal} title={t("empty.title")} action={button || undefined}>
          <p>{mayChange ? t("empty.text") : t("empty.noRight")}</p>
          {mayChange && (
            <p className="pt-2">
              <code>toolgate profile create careful --requires-approval --rate-limit 30/60</code>
            </p>
          )}
        </Empty>
      ) : (
        <DataTable label={t("title")} columns={columns} rows={profiles} rowKey={({ id }) => id} onOpen={({ id }) => show(id)} isCurrent={({ id }) => id === open?.id} />
      )}
      {(open || (opened === NEW && mayChange)) && <ProfileSheet key={open?.id ?? NEW} profile={open} used={assignments.filter(({ profile_id: id }) => open !== undefined && id === open.id)} mayChange={mayChange} onClose={() => show(undefined)} />}
    </Page>
  );
}

function useColumns(assignments: Assignment[]): Column<Profile>[] {
  const t = useT();
  const usedBy = (profile: Profile) => assignments.filter(({ profile_id: id }) => id === profile.id).length;
  return [
    {
      id: "name",
      header: t("column.name"),
      width: "minmax(0,1.5fr)",
      phone: "title",
      cell: ({ name, description }) => (
        <span className="block min-w-0">
          <span className="font-medium break-words">{name}</span>
          <span className="block truncate text-xs font-normal text-muted-foreground">{description}</span>
        </span>
      ),
    },
    { id: "overrides", header: t("column.overrides"), width: "minmax(0,3fr)", phone: "title", cell: (profile) => <Overrides profile={profile} /> },
    { id: "used", header: t("column.used"), width: "9rem", cell: (profile) => (usedBy(profile) === 0 ? <span className="text-muted-foreground">{t("used.none")}</span> : t("used", { count: usedBy(profile) })) },
  ];
}
