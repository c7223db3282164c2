import { useState } from "react";

import { useT } from "./messages";
import { isOver, type RunState } from "./run/state";
import { useRunState } from "./run/useRunState";
import type { Exchange } from "./turns";

const MAX_CHARS = 1_000;

/** Says to those who do not see it how the answer goes: when a person is asked, and when it is there. Not word by word. */
export function Announcements({ thread, exchange, agentName }: { thread: string; exchange: Exchange | undefined; agentName: string }) {
  const t = useT();
  const state = useRunState(thread, exchange?.runId ?? "", false);
  // What was over when the page was opened is no news.
  const [old] = useState(() => (isOver(exchange?.answer?.status) ? exchange?.runId : undefined));
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {state !== undefined && exchange !== undefined && exchange.runId !== old && words(t, state, agentName)}
    </div>
  );
}

function words(t: ReturnType<typeof useT>, state: RunState, name: string): string {
  if (state.status === "completed") return t("announce.answered", { name, text: spoken(state.response ?? "") });
  if (state.status === "cancelled") return t("stopped");
  if (isOver(state.status)) return t("announce.failed", { name, text: state.error?.message ?? "" });
  return state.calls.some(({ status }) => status === "pending") ? t("announce.asks", { name }) : t("working", { name });
}

/** Without the marks of Markdown, which nobody wants to hear. */
function spoken(markdown: string): string {
  return markdown.replace(/[*_`#|>]+/g, "").slice(0, MAX_CHARS);
}
