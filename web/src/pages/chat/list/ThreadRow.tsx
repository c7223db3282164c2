import { Link } from "@tanstack/react-router";

import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";
import { useAgents, type Thread } from "../queries";
import type { ListSearch } from "../search";
import { ThreadMenu } from "./ThreadMenu";

export function ThreadRow({ thread }: { thread: Thread }) {
  const t = useT();
  const agent = useAgents().byId.get(thread.agent_id);
  const keepList = ({ find, archived }: ListSearch): ListSearch => ({ ...(find === undefined ? {} : { find }), ...(archived === undefined ? {} : { archived }) });
  return (
    <div className="group flex items-center rounded-md has-[a[data-status=active]]:bg-accent hover:bg-accent">
      <Link to="/chat/$thread" params={{ thread: thread.id }} search={keepList} activeOptions={{ includeSearch: false }} className="min-w-0 flex-1 rounded-md px-2 py-2 focus-visible:-outline-offset-2">
        <span className="flex items-center gap-1.5">
          <span className="truncate text-sm font-medium">{thread.title ?? t("untitled")}</span>
          {thread.archived_at && <Badge tone="outline">{t("isArchived")}</Badge>}
        </span>
        <span className="flex gap-1.5 text-xs text-muted-foreground">
          <span className="truncate">{agent?.display_name ?? t("agent.unknown")}</span>
          <span aria-hidden>·</span>
          <RelativeTime at={thread.updated_at} className="whitespace-nowrap" />
        </span>
      </Link>
      <ThreadMenu thread={thread} />
    </div>
  );
}
