import { getRouteApi } from "@tanstack/react-router";
import { useRef, useState } from "react";

import { useMe } from "@/app/session";
import { useShortcut } from "@/app/shortcuts";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { Confirm } from "@/ui/confirm";
import { Sheet, SheetBody, SheetContent, SheetHeader, SheetTitle } from "@/ui/sheet";

import { Announcements } from "./Announcements";
import { Bottom } from "./Bottom";
import { restoreDraft, useDraft } from "./compose/draft";
import { useT } from "./messages";
import { useAgents, type Message, type Thread } from "./queries";
import { isOver } from "./run/state";
import { useFollowedRun, useRunStatus } from "./run/useRunState";
import { Conversation } from "./talk/Conversation";
import { useFollowScroll } from "./talk/useFollowScroll";
import { ThreadHeader } from "./ThreadHeader";
import { Timeline } from "./timeline/Timeline";
import { activeRunOf, exchangesOf, type Exchange } from "./turns";
import { useNews } from "./useNews";
import { useTalk } from "./useTalk";

const route = getRouteApi("/shell/chat/$thread");
/** From here on the timeline stands beside the conversation (Tailwind's `xl`). */
const WIDE = "(min-width: 80rem)";

export function Talk({ thread, messages }: { thread: Thread; messages: Message[] }) {
  const t = useT();
  const me = useMe();
  const isPhone = useIsPhone();
  const navigate = route.useNavigate();
  const { run: chosen } = route.useSearch();
  const agent = useAgents().byId.get(thread.agent_id);
  const agentName = agent?.display_name ?? t("agent.unknown");
  const exchanges = exchangesOf(messages);
  const lastRun = exchanges.at(-1)?.runId;
  const activeRun = activeRunOf(messages);
  const { isBroken } = useFollowedRun(thread.id, activeRun);
  const status = useRunStatus(thread.id, lastRun ?? "");
  useNews(thread.id, thread.session_id, activeRun !== undefined);
  const { scroller, content, isAway, toEnd } = useFollowScroll();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(thread.id);
  const { say, retry, stop } = useTalk(thread.id);
  // The last exchange when something was sent: with the next one, what was sent is among the messages.
  const [spokenAfter, setSpokenAfter] = useState<string>();
  const [going, setGoing] = useState<Exchange>();
  const [isTimelineOpen, setIsTimelineOpen] = useState(false);
  const isOwn = thread.created_by === me.principal;
  const canWrite = isOwn && !thread.archived_at;
  useShortcut({ keys: "w", label: t("shortcut.write"), group: t("title"), run: () => field.current?.focus() }, canWrite);

  const isBusy = activeRun !== undefined && !isOver(status);

  const send = () => {
    const { text } = draft;
    setSpokenAfter(lastRun);
    draft.show("");
    say.mutate(text, { onSuccess: ({ isKept }) => !isKept && draft.show(restoreDraft(thread.id, text)) });
    toEnd();
  };
  const askAgain = ({ question, answer }: Exchange) => {
    const message = question ?? answer;
    if (message) retry.mutate(message.id);
    setGoing(undefined);
    toEnd();
  };
  /** Asking the last question again loses nothing that anybody built on. */
  const wantRetry = (exchange: Exchange) => (exchange.runId === lastRun ? askAgain(exchange) : setGoing(exchange));
  const showTimeline = (runId: string) => {
    void navigate({ search: (old) => ({ ...old, run: runId === lastRun ? undefined : runId }), replace: true });
    if (!window.matchMedia(WIDE).matches) setIsTimelineOpen(true);
  };
  const later = going ? messages.filter(({ seq }) => seq > (going.answer?.seq ?? going.question?.seq ?? 0)).length : 0;
  const timeline = <Timeline thread={thread.id} exchange={exchanges.find(({ runId }) => runId === chosen) ?? exchanges.at(-1)} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <ThreadHeader thread={thread} agent={agent} isOwn={isOwn} onTimeline={() => setIsTimelineOpen(true)} />
        <Conversation
          thread={thread.id}
          agentName={agentName}
          exchanges={exchanges}
          sending={say.isPending && spokenAfter === lastRun ? say.variables.trim() : undefined}
          scroller={scroller}
          content={content}
          isAway={isAway}
          toEnd={toEnd}
          onRetry={canWrite && !isBusy && !retry.isPending ? wantRetry : undefined}
          onTimeline={showTimeline}
        />
        <Bottom
          thread={thread}
          agent={agent}
          isOwn={isOwn}
          isBroken={isBroken}
          isBusy={isBusy}
          isWaiting={isBusy && status === "pending"}
          isSending={say.isPending || retry.isPending}
          isStopping={stop.isPending}
          draft={draft.text}
          field={field}
          onDraft={draft.change}
          onSend={send}
          onStop={() => activeRun !== undefined && stop.mutate(activeRun)}
        />
        <Announcements thread={thread.id} exchange={exchanges.at(-1)} agentName={agentName} />
      </div>
      <aside aria-label={t("timeline")} className="hidden w-72 shrink-0 overflow-y-auto border-l p-4 xl:block">
        <h2 className="pb-3 text-sm font-semibold">{t("timeline")}</h2>
        {timeline}
      </aside>
      <Sheet open={isTimelineOpen} onOpenChange={setIsTimelineOpen}>
        <SheetContent side={isPhone ? "bottom" : "right"} className="md:max-w-sm" aria-describedby={undefined}>
          <SheetHeader>
            <SheetTitle>{t("timeline")}</SheetTitle>
          </SheetHeader>
          <SheetBody>{timeline}</SheetBody>
        </SheetContent>
      </Sheet>
      <Confirm open={going !== undefined} onOpenChange={(open) => !open && setGoing(undefined)} title={t("retry.title")} action={t("retry.action")} onConfirm={() => going && askAgain(going)} destructive={false}>
        {t("retry.text", { count: later })}
      </Confirm>
    </div>
  );
}
