import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Cpu, Plus } from "lucide-react";

import { providersQuery } from "@/api/every";
import { onePage } from "@/api/pages";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { Empty } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
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
  const providers = onePage(useQuery(providersQuery));
  const columns = useColumns();
  const show = (provider: string | undefined) => void navigate({ search: (old) => ({ ...old, provider }), replace: provider === undefined });
  const mayChange = me.may("agents.tenant.update");
  const add = mayChange && (
    <Button onClick={() => show(NEW)}>
      <Plus aria-hidden />
      {t("add")}
    </Button>
  );
  const shown = providers.rows.find(({ id }) => id === openId);
  return (
    <Page title={t("title")} lead={t("lead")} actions={add}>
      <PagedTable
        label={t("title")}
        columns={columns}
        pages={providers}
        rowKey={({ id }) => id}
        onOpen={({ id }) => show(id)}
        isCurrent={({ id }) => id === openId}
        empty={
          <Empty icon={Cpu} title={t("none")} action={add}>
            {t("none.text")}
          </Empty>
        }
      />
      {(shown ?? openId === NEW) && <ProviderDrawer key={openId} provider={shown} mayChange={mayChange} onClose={() => show(undefined)} />}
    </Page>
  );
}
