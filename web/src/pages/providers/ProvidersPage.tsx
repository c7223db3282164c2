import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Cpu, Plus } from "lucide-react";

import { providersQuery } from "@/api/every";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";

import { useColumns } from "./columns";
import { useT } from "./messages";
import { ProviderDrawer } from "./ProviderDrawer";

const route = getRouteApi("/shell/operate/providers");
const NEW = "new";

/** The providers of models that this tenant brings: where its agents' thinking happens, with which key, at which price. */
export function ProvidersPage() {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { provider: openId } = route.useSearch();
  const { data: providers, error, refetch } = useQuery(providersQuery);
  const columns = useColumns();
  const show = (provider: string | undefined) => void navigate({ search: (old) => ({ ...old, provider }), replace: provider === undefined });
  const mayChange = me.may("agents.tenant.update");
  const add = mayChange && (
    <Button onClick={() => show(NEW)}>
      <Plus aria-hidden />
      {t("add")}
    </Button>
  );
  const shown = providers?.find(({ id }) => id === openId);
  return (
    <Page title={t("title")} lead={t("lead")} actions={add}>
      {error && !providers ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !providers ? (
        <Loading />
      ) : providers.length === 0 ? (
        <Empty icon={Cpu} title={t("none")} action={add}>
          {t("none.text")}
        </Empty>
      ) : (
        <DataTable label={t("title")} columns={columns} rows={providers} rowKey={({ id }) => id} onOpen={({ id }) => show(id)} isCurrent={({ id }) => id === openId} />
      )}
      {(shown ?? openId === NEW) && <ProviderDrawer key={openId} provider={shown} mayChange={mayChange} onClose={() => show(undefined)} />}
    </Page>
  );
}
