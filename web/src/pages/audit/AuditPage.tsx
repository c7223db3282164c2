import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw, ScrollText } from "lucide-react";

import { asProblem } from "@/api/problem";
import { NoMatch } from "@/parts/filters/NoMatch";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Empty, Failed } from "@/parts/states/states";
import { PagedTable } from "@/parts/table/PagedTable";
import { Button } from "@/ui/button";

import { AuditFilters } from "./AuditFilters";
import { useColumns } from "./columns";
import { EventDrawer } from "./EventDrawer";
import { ExportButton } from "./ExportButton";
import { useT } from "./messages";
import { newestQuery, useAudit } from "./queries";
import type { AuditFilters as Filters, AuditSearch } from "./search";
import { VerificationBanner } from "./VerificationBanner";

const route = getRouteApi("/shell/operate/audit");

/** Who changed what, and how it was before; and whether anybody rewrote that. */
export function AuditPage() {
  const t = useT();
  const { actor, action, target, since, until, event } = route.useSearch();
  const navigate = route.useNavigate();
  const filters: Filters = { actor, action, target, since, until };
  const audit = useAudit(filters);
  const columns = useColumns();
  const isForbidden = audit.error !== null && asProblem(audit.error).isForbidden;
  const newest = useQuery({ ...newestQuery(filters), enabled: !isForbidden && !audit.isLoading });
  const change = (next: Partial<AuditSearch>) => void navigate({ search: (old) => compact({ ...old, ...next }), replace: true });
  const clear = () => change({ actor: undefined, action: undefined, target: undefined, since: undefined, until: undefined });
  const isAsked = Object.values(filters).some((value) => value !== undefined);
  const open = (id: string | undefined) => void navigate({ search: (old) => compact({ ...old, event: id }) });
  const hasNewer = newest.data !== undefined && newest.data !== null && !audit.isStale && audit.rows.length > 0 && newest.data > (audit.rows[0]?.id ?? "");
  if (isForbidden) {
    return (
      <Page title={t("title")} lead={t("lead")}>
        <Failed error={audit.error} />
      </Page>
    );
  }
  return (
    <Page title={t("title")} lead={t("lead")} actions={<ExportButton />}>
      <VerificationBanner onOpenEvent={open} />
      <AuditFilters filters={filters} onChange={change} isAsked={isAsked} onClear={clear} />
      {hasNewer && (
        <Button variant="secondary" className="self-center" onClick={audit.retry}>
          <RefreshCw aria-hidden />
          {t("newer")}
        </Button>
      )}
      <PagedTable
        label={t("title")}
        columns={columns}
        pages={audit}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(id)}
        isCurrent={({ id }) => id === event}
        empty={
          isAsked ? (
            <NoMatch title={t("noMatch.title")} onClear={clear}>
              {t("noMatch.text")}
            </NoMatch>
          ) : (
            <Empty icon={ScrollText} title={t("none.title")}>
              {t("none.text")}
            </Empty>
          )
        }
      />
      {event !== undefined && <EventDrawer id={event} known={audit.rows.find(({ id }) => id === event)} onClose={() => open(undefined)} onFilter={(next) => change({ ...next, event: undefined })} />}
    </Page>
  );
}
