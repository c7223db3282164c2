import type { Agent } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { useWorkspace } from "@/app/workspace";
import { Avatar } from "@/parts/people/Avatar";
import { Principal } from "@/parts/people/Principal";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";

import { AgentStatusBadge } from "../AgentStatusBadge";
import { useT } from "../messages";

export const pathOf = ({ id }: Pick<Agent, "id">) => `/agents/${id}`;

export function useColumns(): Column<Agent>[] {
  const t = useT();
  const { all: workspaces } = useWorkspace();
  const nameOf = (id: string | null | undefined) => (id ? (workspaces.find((one) => one.id === id)?.name ?? id) : t("workspace.none"));
  return [
    { id: "agent", header: t("column.agent"), width: "minmax(0,3fr)", phone: "title", cell: (agent) => <AgentCell agent={agent} /> },
    { id: "status", header: t("column.status"), width: "6rem", cell: (agent) => <AgentStatusBadge value={agent.status} /> },
    { id: "model", header: t("column.model"), width: "minmax(0,1.2fr)", cell: (agent) => <span className="block truncate">{agent.model ?? <span className="text-muted-foreground">{t("model.default")}</span>}</span> },
    { id: "owner", header: t("column.owner"), width: "minmax(0,1fr)", phone: "hidden", cell: (agent) => <span className="block truncate">{agent.owner ? <Principal id={agent.owner} /> : t("owner.none")}</span> },
    { id: "workspace", header: t("column.workspace"), width: "minmax(0,1fr)", phone: "hidden", cell: (agent) => <span className="block truncate">{nameOf(agent.workspace_id)}</span> },
    { id: "changed", header: t("column.changed"), width: "7rem", align: "end", phone: "hidden", cell: (agent) => <RelativeTime at={agent.updated_at} className="text-muted-foreground" /> },
  ];
}

function AgentCell({ agent }: { agent: Agent }) {
  return (
    <span className="flex min-w-0 items-center gap-3 py-0.5">
      <Avatar name={agent.display_name} picture={agent.avatar_url} />
      <span className="block min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <PathLink path={pathOf(agent)} tabIndex={-1} className="font-medium break-words hover:underline">
            {agent.display_name}
          </PathLink>
          <span className="text-xs font-normal text-muted-foreground">@{agent.handle}</span>
        </span>
        {agent.bio && <span className="block truncate text-xs font-normal text-muted-foreground max-md:line-clamp-2 max-md:whitespace-normal">{agent.bio}</span>}
      </span>
    </span>
  );
}
