import { ArrowDown } from "lucide-react";
import { useState } from "react";

import { Button } from "@/ui/button";

import { useT } from "../messages";
import type { Exchange } from "../turns";
import { Answer } from "./Answer";
import { Question } from "./Question";
import type { FollowScroll } from "./useFollowScroll";

/** As many exchanges as are drawn at first, and more with each click: a thread may have thousands. */
const STEP = 40;

interface Props extends FollowScroll {
  thread: string;
  agentName: string;
  exchanges: Exchange[];
  /** What is being sent, and not yet among the messages. */
  sending: string | undefined;
  onRetry: ((exchange: Exchange) => void) | undefined;
  onTimeline: (runId: string) => void;
}

export function Conversation({ thread, agentName, exchanges, sending, scroller, content, isAway, toEnd, onRetry, onTimeline }: Props) {
  const t = useT();
  const [most, setMost] = useState(STEP);
  const shown = exchanges.slice(-most);
  const hidden = exchanges.length - shown.length;
  return (
    <div className="relative min-h-0 flex-1">
      {/* It scrolls, so a keyboard must be able to get into it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={scroller} tabIndex={0} role="region" aria-label={t("conversation")} className="h-full overflow-x-hidden overflow-y-auto focus-visible:-outline-offset-2">
        <div ref={content} className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-6">
          {hidden > 0 && (
            <Button variant="outline" size="sm" className="self-center" onClick={() => setMost(most + STEP)}>
              {t("earlier", { count: hidden })}
            </Button>
          )}
          {exchanges.length === 0 && sending === undefined && <p className="py-10 text-center text-muted-foreground">{t("nothingSaid", { name: agentName })}</p>}
          {shown.map((exchange) => {
            const retry = onRetry && (() => onRetry(exchange));
            return (
              <div key={exchange.runId} className="flex min-w-0 flex-col gap-4">
                {exchange.question && <Question text={exchange.question.content ?? ""} at={exchange.question.created_at} onRetry={retry} />}
                {exchange.answer && <Answer thread={thread} exchange={exchange} agentName={agentName} onRetry={retry} onTimeline={() => onTimeline(exchange.runId)} />}
              </div>
            );
          })}
          {sending !== undefined && (
            <div className="opacity-70">
              <Question text={sending} />
            </div>
          )}
        </div>
      </div>
      {isAway && (
        <Button variant="outline" size="sm" className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full bg-popover shadow-md" onClick={toEnd}>
          <ArrowDown aria-hidden />
          {t("toEnd")}
        </Button>
      )}
    </div>
  );
}
