import { Link } from "@tanstack/react-router";
import { ArrowLeft, ListTree } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import { Badge } from "@/ui/badge";
import { Button, buttonVariants } from "@/ui/button";

import { ThreadMenu } from "./list/ThreadMenu";
import { useT } from "./messages";
import type { Thread } from "./queries";

interface Props {
  thread: Thread;
  agent: { handle: string; display_name: string } | undefined;
  isOwn: boolean;
  onTimeline: () => void;
}

export function ThreadHeader({ thread, agent, isOwn, onTimeline }: Props) {
  const t = useT();
  return (
    <header className="flex items-center gap-2 border-b px-2 py-2 md:px-4">
      <Link to="/chat" search={{}} aria-label={t("back")} className={`${buttonVariants({ variant: "ghost", size: "icon" })} md:hidden`}>
        <ArrowLeft aria-hidden />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold">{thread.title ?? t("untitled")}</h1>
        <p className="flex items-center gap-1.5 text-xs text-muted-foreground">
          {agent ? (
            <PathLink path={`/agents/${agent.handle}`} className="truncate hover:underline max-md:py-1">
              {agent.display_name}
            </PathLink>
          ) : (
            t("agent.unknown")
          )}
          {thread.archived_at && <Badge tone="outline">{t("isArchived")}</Badge>}
        </p>
      </div>
      <Button variant="ghost" size="sm" aria-label={t("timeline")} className="max-md:size-11 max-md:px-0 xl:hidden" onClick={onTimeline}>
        <ListTree aria-hidden />
        <span className="max-md:hidden">{t("timeline")}</span>
      </Button>
      {isOwn && <ThreadMenu thread={thread} />}
    </header>
  );
}
