import { useQuery } from "@tanstack/react-query";
import { Archive, CircleCheck, Plus } from "lucide-react";
import { useState } from "react";

import type { Schemas } from "@/api/client";
import { tenantsQuery } from "@/api/queries";
import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";
import { useArchiveTenant } from "../queries";
import { AddTenant } from "./AddTenant";

type Tenant = Schemas["TenantResponse"];

/** The walls of the installation: each tenant is a world of its own. */
export function TenantsPage() {
  const t = useT();
  const { data: tenants, error, refetch } = useQuery(tenantsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [archived, setArchived] = useState<Tenant>();
  const archive = useArchiveTenant();
  const columns = useColumns(setArchived);
  const confirm = (tenant: Tenant) =>
    archive.mutate(tenant.id, {
      onSuccess: () => {
        setArchived(undefined);
        notify.done(t("tenants.archived", { name: tenant.name }));
      },
    });
  return (
    <Page
      title={t("tenants.title")}
      lead={t("tenants.lead")}
      actions={
        !error && (
          <Button onClick={() => setIsAdding(true)}>
            <Plus aria-hidden />
            {t("tenants.add")}
          </Button>
        )
      }
    >
      {error && !tenants ? <Failed error={error} onRetry={() => void refetch()} /> : tenants ? <DataTable label={t("tenants.title")} columns={columns} rows={tenants} rowKey={({ id }) => id} /> : <Loading />}
      {isAdding && <AddTenant onClose={() => setIsAdding(false)} />}
      {archived && (
        <Confirm open onOpenChange={(isOpen) => !isOpen && setArchived(undefined)} title={t("tenants.archive.title", { name: archived.name })} action={t("tenants.archive")} busy={archive.isPending} onConfirm={() => confirm(archived)}>
          {t("tenants.archive.text")}
        </Confirm>
      )}
    </Page>
  );
}

function useColumns(onArchive: (tenant: Tenant) => void): Column<Tenant>[] {
  const t = useT();
  const me = useMe();
  return [
    { id: "name", header: t("tenants.column.name"), width: "minmax(0,3fr)", phone: "title", cell: ({ name }) => <span className="block truncate font-medium">{name}</span> },
    { id: "slug", header: t("tenants.column.slug"), width: "minmax(0,2fr)", cell: ({ slug }) => <code className="font-mono text-xs">{slug}</code> },
    { id: "state", header: t("tenants.column.state"), width: "8rem", cell: (tenant) => <TenantState tenant={tenant} /> },
    { id: "made", header: t("tenants.column.made"), width: "8rem", cell: ({ created_at }) => <MadeAt at={created_at} /> },
    {
      id: "actions",
      header: "",
      width: "8rem",
      align: "end",
      cell: (tenant) =>
        !tenant.archived_at &&
        tenant.slug !== me.tenant && (
          <Button variant="outline" size="sm" aria-label={t("tenants.archive.label", { name: tenant.name })} onClick={() => onArchive(tenant)}>
            <Archive aria-hidden />
            {t("tenants.archive")}
          </Button>
        ),
    },
  ];
}

/** The installation's own tenant is there from the beginning of time, which is no date to show. */
function MadeAt({ at }: { at: string }) {
  const t = useT();
  return Date.parse(at) === 0 ? <span className="text-muted-foreground">{t("tenants.first")}</span> : <RelativeTime at={at} className="text-muted-foreground" />;
}

function TenantState({ tenant }: { tenant: Tenant }) {
  const t = useT();
  return tenant.archived_at ? (
    <Badge tone="quiet">
      <Archive aria-hidden />
      {t("tenants.state.archived")}
    </Badge>
  ) : (
    <Badge tone="good">
      <CircleCheck aria-hidden />
      {t("tenants.state.open")}
    </Badge>
  );
}
