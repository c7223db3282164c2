import { memo } from "react";

import { Avatar } from "@/parts/people/Avatar";
import { Markdown } from "@/parts/sections";
import { Spinner } from "@/ui/spinner";

import { useT } from "../messages";
import { isOver, NOTHING, type RunState, type Status } from "../run/state";
import { useRunState } from "../run/useRunState";
import { passagesOf } from "../run/view";
import { isReadable, type Exchange } from "../turns";
import { AnswerError } from "./AnswerError";
import { AnswerFooter } from "./AnswerFooter";
import { CallGroup } from "./CallGroup";
import { RunWaits } from "./RunWaits";
import { useInView } from "./useInView";

interface Props {
  thread: string;
  exchange: Exchange;
  agentName: string;
  onRetry: (() => void) | undefined;
  onTimeline: () => void;
}

/** What the agent says and does, as it comes. */
export function Answer({ thread, exchange: { runId, answer }, agentName, onRetry, onTimeline }: Props) {
  const [place, wasSeen] = useInView();
  const state = useRunState(thread, runId, wasSeen && isReadable(answer));
  const status = statusOf(answer?.status, state);
  const isDone = isOver(status);
  // Until the events are there, what counts is there already: the text of the answer.
  const shown = state ?? { ...NOTHING, response: answer?.content ?? undefined };
  const response = answer?.content ?? state?.response;
  return (
    <div ref={place} className="flex min-w-0 gap-3" aria-busy={!isDone}>
      <Avatar name={agentName} className="max-md:hidden" />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <h2 className="text-sm font-semibold">{agentName}</h2>
        {passagesOf(shown).map(({ iteration, text, calls }) => (
          <div key={iteration} className="flex min-w-0 flex-col gap-3">
            {text !== "" && <Words text={text} />}
            {calls.length > 0 && <CallGroup calls={calls} state={shown} />}
          </div>
        ))}
        {!isDone && shown.waitsFor === "approval" && <RunWaits runId={runId} />}
        {!isDone && <Working state={shown} agentName={agentName} />}
        {isDone && status !== "completed" && <AnswerError status={status} error={answer?.error ?? state?.error} onRetry={onRetry} />}
        {isDone && <AnswerFooter runId={runId} state={state} text={response} onRetry={status === "completed" ? onRetry : undefined} onTimeline={onTimeline} />}
      </div>
    </div>
  );
}

/** Reading Markdown costs something: only the passage that grows is read again. */
const Words = memo(function Words({ text }: { text: string }) {
  return <Markdown text={text} />;
});

/** The message and the events come by different ways; whichever says that the run is over is right. */
function statusOf(told: Status | null | undefined, state: RunState | undefined): Status {
  if (told && isOver(told)) return told;
  return state?.status ?? told ?? "running";
}

function Working({ state, agentName }: { state: RunState; agentName: string }) {
  const t = useT();
  const isAsked = state.waitsFor === "approval" || state.calls.some(({ status }) => status === "pending");
  if (isAsked) return null;
  const isCalling = state.calls.some(({ status }) => status === "running" || status === "approved");
  // A call that the run waits for counts as running, though it may be a task in somebody's inbox.
  const words = state.waitsFor === "calls" ? t("working.waits") : isCalling ? t("working.calls") : t("working", { name: agentName });
  return (
    <p className="flex items-center gap-2 text-sm text-muted-foreground">
      <Spinner />
      {words}
    </p>
  );
}
