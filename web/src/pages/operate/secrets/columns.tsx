import { RotateCcwKey, Trash2 } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";

import { serverOfLogin } from "../mcp-servers/secrets-in";
import { useAccess } from "../shared/access";
import { useT } from "./messages";
import type { Secret } from "./needs";
import { ScopeBadge } from "./ScopeBadge";
import { ToolNames } from "./ToolNames";

interface ColumnsProps {
  needed: Map<string, string[]>;
  onRotate(secret: Secret): void;
  onDelete(secret: Secret): void;
}

export function useColumns({ needed, onRotate, onDelete }: ColumnsProps): Column<Secret>[] {
  const t = useT();
  const { me } = useAccess();
  const mayChange = ({ scope }: Secret) => me.may(`secrets.${scope}.update`);
  const actions = (secret: Secret) =>
    mayChange(secret) && (
      <span className="flex justify-end gap-1 max-md:justify-start">
        {serverOfLogin(secret.name) === undefined && (
          <Button variant="ghost" size="sm" aria-label={t("rotate.label", { name: secret.name })} onClick={() => onRotate(secret)}>
            <RotateCcwKey aria-hidden />
            {t("rotate")}
          </Button>
        )}
        <Button variant="ghost" size="sm" aria-label={t("delete.label", { name: secret.name })} onClick={() => onDelete(secret)}>
          <Trash2 aria-hidden />
          {t("delete")}
        </Button>
      </span>
    );
  return [
    { id: "name", header: t("column.name"), width: "minmax(0,2fr)", phone: "title", cell: (secret) => <NameCell secret={secret} /> },
    { id: "scope", header: t("column.scope"), width: "minmax(0,1.2fr)", phone: "title", cell: (secret) => <ScopeBadge secret={secret} /> },
    { id: "tools", header: t("column.tools"), width: "minmax(0,1.6fr)", cell: ({ name }) => <ToolNames names={needed.get(name) ?? []} /> },
    { id: "changed", header: t("column.changed"), width: "7.5rem", cell: ({ updated_at: at }) => <RelativeTime at={at} className="text-muted-foreground" /> },
    { id: "used", header: t("column.used"), width: "6.5rem", cell: ({ last_used_at: at }) => <RelativeTime at={at} className="text-muted-foreground" /> },
    { id: "actions", header: t("column.actions"), width: "11rem", align: "end", phone: "title", cell: actions },
  ];
}

function NameCell({ secret }: { secret: Secret }) {
  const t = useT();
  const server = serverOfLogin(secret.name);
  return (
    <span className="block min-w-0">
      <span className="font-mono font-medium break-all">{secret.name}</span>
      <span className="block text-xs font-normal text-muted-foreground" title={t("revision.help")}>
        {server === undefined ? t("revision", { count: secret.revision }) : <PathLink path={`/operate/mcp-servers/${server}`} className="text-link hover:underline">{t("login", { server })}</PathLink>}
      </span>
    </span>
  );
}
