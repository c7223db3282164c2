import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plug, Plus } from "lucide-react";

import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";

import { useAccess } from "../shared/access";
import { useColumns } from "./columns";
import { ServerSheet } from "./form/ServerSheet";
import { useT } from "./messages";
import { serversQuery } from "./queries";

const route = getRouteApi("/shell/operate/mcp-servers");

export function ServersPage() {
  const t = useT();
  const navigate = useNavigate();
  const { add = false } = route.useSearch();
  const { has } = useAccess();
  const columns = useColumns();
  const { data: servers, error, refetch } = useQuery(serversQuery);
  // A server is sent secrets, so whoever brings one needs both.
  const mayAdd = has("tools:write") && has("secrets:write");
  const show = (isOpen: boolean) => void navigate({ to: "/operate/mcp-servers", search: isOpen ? { add: true } : {}, replace: true });
  useShortcut({ keys: "n", label: t("add"), group: t("shortcuts"), run: () => show(true) }, mayAdd);
  const button = mayAdd && (
    <Button onClick={() => show(true)}>
      <Plus aria-hidden />
      {t("add")}
    </Button>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={servers && servers.length > 0 ? button : undefined}>
      {error && !servers ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !servers ? (
        <Loading />
      ) : servers.length === 0 ? (
        <Empty icon={Plug} title={t("empty.title")} action={button || undefined}>
          <p>{mayAdd ? t("empty.text") : t("empty.noRight")}</p>
          {mayAdd && (
            <p className="pt-2">
              <code>toolgate mcp server add NAME --to https://…/mcp</code>
            </p>
          )}
        </Empty>
      ) : (
        <DataTable label={t("title")} columns={columns} rows={servers} rowKey={({ id }) => id} onOpen={({ name }) => void navigate({ to: "/operate/mcp-servers/$name", params: { name } })} />
      )}
      {mayAdd && <ServerSheet open={add} onOpenChange={show} onDone={(name) => void navigate({ to: "/operate/mcp-servers/$name", params: { name } })} />}
    </Page>
  );
}
