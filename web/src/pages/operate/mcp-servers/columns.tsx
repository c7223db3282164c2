import { Link } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";

import { EgressBadge } from "@/parts/badges/badges";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";

import { useT } from "./messages";
import type { McpServer } from "./queries";
import { placeOf, StandingBadge, standingOf, waitingIn } from "./states";

export function useColumns(): Column<McpServer>[] {
  const t = useT();
  return [
    { id: "server", header: t("column.server"), width: "minmax(0,3fr)", phone: "title", cell: (server) => <ServerCell server={server} /> },
    { id: "state", header: t("column.state"), width: "minmax(0,2fr)", phone: "title", cell: (server) => <StateCell server={server} /> },
    { id: "tools", header: t("column.tools"), width: "minmax(0,1.5fr)", phone: "title", cell: (server) => <ToolsCell server={server} /> },
    { id: "terms", header: t("column.terms"), width: "minmax(0,9rem)", phone: "hidden", cell: ({ egress_class: egress = "write" }) => <EgressBadge value={egress} /> },
    { id: "seen", header: t("column.seen"), width: "7rem", align: "end", phone: "hidden", cell: ({ status }) => <RelativeTime at={status?.last_seen_at} className="text-muted-foreground" /> },
  ];
}

function ServerCell({ server }: { server: McpServer }) {
  return (
    <span className="block min-w-0">
      <Link to="/operate/mcp-servers/$name" params={{ name: server.name }} tabIndex={-1} className="font-medium hover:underline">
        {server.name}
      </Link>
      <span className="block truncate font-mono text-xs font-normal text-muted-foreground" title={placeOf(server)}>
        {placeOf(server)}
      </span>
    </span>
  );
}

function StateCell({ server }: { server: McpServer }) {
  const standing = standingOf(server);
  const reason = standing === "failing" || standing === "open" ? server.status?.last_error : undefined;
  return (
    <span className="grid min-w-0 gap-0.5">
      <span>
        <StandingBadge server={server} />
      </span>
      {reason && (
        <span className="truncate text-xs font-normal text-muted-foreground max-md:line-clamp-2 max-md:whitespace-normal" title={reason}>
          {reason}
        </span>
      )}
    </span>
  );
}

function ToolsCell({ server }: { server: McpServer }) {
  const t = useT();
  const waiting = waitingIn(server);
  return (
    <span className="flex flex-wrap items-center gap-1.5 font-normal">
      {t("tools", { count: Object.keys(server.imports ?? {}).length })}
      {waiting > 0 && (
        <Badge tone="warn">
          <ShieldAlert aria-hidden />
          {t("review", { count: waiting })}
        </Badge>
      )}
    </span>
  );
}
