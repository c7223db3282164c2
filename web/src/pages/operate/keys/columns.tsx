import { Ban, CircleCheck, Clock } from "lucide-react";

import { Principal } from "@/parts/people/Principal";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";

import { useT } from "./messages";
import { stateOf, type KeyState, type ApiKey } from "./state";

const SHOWN = 3;

export function useColumns({ now, onRevoke }: { now: number; onRevoke(key: ApiKey): void }): Column<ApiKey>[] {
  const t = useT();
  const isActive = (key: ApiKey) => stateOf(key, now) === "active";
  return [
    { id: "name", header: t("column.name"), width: "minmax(0,1.6fr)", phone: "title", cell: (key) => <NameCell apiKey={key} /> },
    { id: "for", header: t("column.for"), width: "minmax(0,1.2fr)", cell: (key) => <SpeaksFor apiKey={key} /> },
    { id: "scopes", header: t("column.scopes"), width: "minmax(0,2fr)", cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    { id: "state", header: t("column.state"), width: "6.5rem", phone: "title", cell: (key) => <StateBadge state={stateOf(key, now)} /> },
    { id: "created", header: t("column.created"), width: "6.5rem", cell: ({ created_at: at }) => <RelativeTime at={at} className="text-muted-foreground" /> },
    { id: "expires", header: t("column.expires"), width: "6.5rem", cell: ({ expires_at: at }) => (at ? <RelativeTime at={at} className="text-muted-foreground" /> : <span className="text-muted-foreground">{t("expires.never")}</span>) },
    {
      id: "actions",
      header: t("column.actions"),
      width: "6rem",
      align: "end",
      phone: "title",
      cell: (key) =>
        isActive(key) && (
          <Button variant="ghost" size="sm" aria-label={t("revoke.label", { name: key.name })} onClick={() => onRevoke(key)}>
            <Ban aria-hidden />
            {t("revoke")}
          </Button>
        ),
    },
  ];
}

function NameCell({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className="block min-w-0">
      <span className="font-medium break-words">{apiKey.name}</span>
      <code className="block font-mono text-xs font-normal text-muted-foreground">{apiKey.hint}…</code>
    </span>
  );
}

function SpeaksFor({ apiKey }: { apiKey: ApiKey }) {
  const t = useT();
  const id = apiKey.agent_id ?? apiKey.user_id;
  if (id) return <Principal id={id} />;
  return <span className="text-muted-foreground">{apiKey.service_role ? t("for.service") : t("for.program")}</span>;
}

function Scopes({ scopes }: { scopes: ApiKey["scopes"] }) {
  const t = useT();
  return (
    <span className="flex flex-wrap gap-1" title={scopes.join(", ")}>
      {scopes.slice(0, SHOWN).map((scope) => (
        <Badge key={scope} tone={scope === "admin" ? "warn" : "outline"} className="font-mono">
          {scope}
        </Badge>
      ))}
      {scopes.length > SHOWN && <span className="text-xs text-muted-foreground">{t("scopes.more", { count: scopes.length - SHOWN })}</span>}
    </span>
  );
}

function StateBadge({ state }: { state: KeyState }) {
  const t = useT();
  const [tone, Icon] = state === "active" ? (["good", CircleCheck] as const) : state === "expired" ? (["quiet", Clock] as const) : (["bad", Ban] as const);
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`state.${state}`)}
    </Badge>
  );
}
