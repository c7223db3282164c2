import { Link } from "@tanstack/react-router";
import { Waypoints } from "lucide-react";

import { StatusBadge } from "@/parts/badges/badges";
import { buttonVariants } from "@/ui/button";

import { useT } from "../messages";
import { isOver, NOTHING } from "../run/state";
import { useRunState } from "../run/useRunState";
import { standingOf, timelineOf, totalsOf } from "../run/view";
import { Totals } from "../talk/AnswerFooter";
import { isReadable, type Exchange } from "../turns";
import { CallEntry, ModelEntry } from "./entries";

/** What a run does, as it does it: each question to the model, each call, how long it took, what it cost. */
export function Timeline({ thread, exchange }: { thread: string; exchange: Exchange | undefined }) {
  const t = useT();
  const state = useRunState(thread, exchange?.runId ?? "", isReadable(exchange?.answer));
  if (exchange === undefined) return <p className="text-sm text-muted-foreground">{t("timeline.none")}</p>;
  const { runId, answer } = exchange;
  const known = state ?? { ...NOTHING, status: answer?.status ?? "running" };
  const entries = timelineOf(known, !isOver(known.status));
  const { model } = totalsOf(known);
  const error = known.error ?? answer?.error;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge value={standingOf(known)} />
        {model !== undefined && <span className="min-w-0 truncate text-xs text-muted-foreground">{model}</span>}
        <Link to="/runs/$id" params={{ id: runId }} search={{ tab: "trace" }} className={`${buttonVariants({ variant: "outline", size: "sm" })} ml-auto`}>
          <Waypoints aria-hidden />
          {t("trace")}
        </Link>
      </div>
      <div className="text-xs text-muted-foreground empty:hidden">
        <Totals state={known} />
      </div>
      {entries.length === 0 && !isOver(known.status) && <p className="text-sm text-muted-foreground">{t("timeline.empty")}</p>}
      <ol aria-label={t("timeline")} className="flex min-w-0 flex-col border-l pl-3 empty:hidden">
        {entries.map((entry) =>
          entry.kind === "model" ? (
            <ModelEntry key={`model-${entry.iteration}`} iteration={entry.iteration} usage={entry.usage} isAsking={entry.isAsking} />
          ) : (
            <CallEntry key={entry.call.id} call={entry.call} depth={entry.depth} />
          ),
        )}
      </ol>
      {error && (
        <p className="text-xs break-words text-bad">
          <code className="font-mono">{error.code}</code> {error.message}
        </p>
      )}
    </div>
  );
}
