import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";

import { onePage } from "@/api/pages";
import { Page } from "@/parts/page/Page";
import { Empty } from "@/parts/states/states";
import type { Column } from "@/parts/table/DataTable";
import { PagedTable } from "@/parts/table/PagedTable";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";

import { AddWebhook } from "./AddWebhook";
import { useT } from "./messages";
import { webhooksQuery, type Webhook } from "./queries";
import { WebhookDrawer } from "./WebhookDrawer";

const route = getRouteApi("/shell/operate/webhooks");

/** Where questions are sent: each call that waits for a person, signed, with links that answer it. */
export function WebhooksPage() {
  const t = useT();
  const navigate = route.useNavigate();
  const { webhook: openId } = route.useSearch();
  const webhooks = onePage(useQuery(webhooksQuery));
  const [isAdding, setIsAdding] = useState(false);
  const columns = useColumns();
  const show = (webhook: string | undefined) => void navigate({ search: (old) => ({ ...old, webhook }), replace: webhook === undefined });
  const shown = webhooks.rows.find(({ id }) => id === openId);
  const add = (
    <Button onClick={() => setIsAdding(true)}>
      <Plus aria-hidden />
      {t("add")}
    </Button>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={webhooks.error ? undefined : add}>
      <PagedTable
        label={t("title")}
        columns={columns}
        pages={webhooks}
        rowKey={({ id }) => id}
        onOpen={({ id }) => show(id)}
        isCurrent={({ id }) => id === openId}
        empty={
          <Empty icon={WebhookIcon} title={t("none")} action={add}>
            {t("none.text")}
          </Empty>
        }
      />
      {isAdding && <AddWebhook onClose={() => setIsAdding(false)} />}
      {shown && <WebhookDrawer webhook={shown} onClose={() => show(undefined)} />}
    </Page>
  );
}

function useColumns(): Column<Webhook>[] {
  const t = useT();
  return [
    { id: "name", header: t("column.name"), width: "minmax(0,2fr)", phone: "title", cell: ({ name }) => <span className="block truncate font-medium">{name}</span> },
    { id: "url", header: t("column.url"), width: "minmax(0,4fr)", cell: ({ url }) => <span className="block truncate">{url}</span> },
    { id: "events", header: t("column.events"), width: "minmax(0,2fr)", cell: ({ events }) => <span className="block truncate">{events.map((event) => t(`event.${event}`)).join(", ")}</span> },
    { id: "added", header: t("column.added"), width: "7rem", align: "end", phone: "hidden", cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted-foreground" /> },
  ];
}
