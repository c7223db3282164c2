import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";

import { apiKeysQuery } from "@/api/every";
import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { useNow } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { useAccess } from "../shared/access";
import { useColumns } from "./columns";
import { CreateKey } from "./CreateKey";
import { useT } from "./messages";
import { RevokeKey } from "./RevokeKey";
import { stateOf, type ApiKey } from "./state";

const route = getRouteApi("/shell/operate/keys");

export function KeysPage() {
  const t = useT();
  const navigate = route.useNavigate();
  const { show = "active", create = false } = route.useSearch();
  const { seesKeys } = useAccess();
  const now = useNow();
  const { data: all, error, refetch } = useQuery(apiKeysQuery);
  const [revoking, setRevoking] = useState<ApiKey>();
  const columns = useColumns({ now, onRevoke: setRevoking });
  const ask = (isOpen: boolean) => void navigate({ search: (old) => ({ ...(old.show ? { show: old.show } : {}), ...(isOpen ? { create: true as const } : {}) }), replace: true });
  useShortcut({ keys: "n", label: t("create"), group: t("shortcuts"), run: () => ask(true) }, seesKeys);
  const button = (
    <Button onClick={() => ask(true)}>
      <Plus aria-hidden />
      {t("create")}
    </Button>
  );
  const shown = all?.filter((key) => show === "all" || stateOf(key, now) === "active");
  return (
    <Page title={t("title")} lead={t("lead")} actions={seesKeys ? button : undefined}>
      {error && !all ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !shown ? (
        <Loading />
      ) : (
        <>
          <ToggleGroup type="single" value={show} aria-label={t("show")} className="self-start" onValueChange={(next) => next !== "" && void navigate({ search: next === "all" ? { show: "all" } : {}, replace: true })}>
            <ToggleGroupItem value="active" className="px-3">
              {t("show.active")}
            </ToggleGroupItem>
            <ToggleGroupItem value="all" className="px-3">
              {t("show.all")}
            </ToggleGroupItem>
          </ToggleGroup>
          {shown.length === 0 ? (
            <Empty icon={KeyRound} title={t("empty.title")} action={button}>
              <p>{t("empty.text")}</p>
              <p className="pt-2">
                <code>toolgate key create desk --scope tools:read,tools:execute</code>
              </p>
            </Empty>
          ) : (
            <DataTable label={t("title")} columns={columns} rows={shown} rowKey={({ id }) => id} />
          )}
        </>
      )}
      {create && seesKeys && <CreateKey onClose={() => ask(false)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}
