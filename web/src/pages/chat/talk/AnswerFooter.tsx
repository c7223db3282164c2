import { Link } from "@tanstack/react-router";
import { ListTree, RotateCcw, Waypoints } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { CopyButton } from "@/parts/copy/CopyButton";
import { cost, duration } from "@/parts/time/format";
import { Button, buttonVariants } from "@/ui/button";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import type { RunState } from "../run/state";
import { totalsOf } from "../run/view";

interface Props {
  runId: string;
  state: RunState | undefined;
  text: string | undefined;
  onRetry: (() => void) | undefined;
  onTimeline: () => void;
}

/** What the answer took, and what one can do with it. */
export function AnswerFooter({ runId, state, text, onRetry, onTimeline }: Props) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-1 text-xs text-muted-foreground">
      {text !== undefined && text !== "" && <CopyButton text={text} label={t("copyAnswer")} className="size-7" />}
      {onRetry && (
        <Button variant="ghost" size="icon" className="size-7" aria-label={t("retryAnswer")} title={t("retryAnswer")} onClick={onRetry}>
          <RotateCcw aria-hidden />
        </Button>
      )}
      <Button variant="ghost" size="sm" className="font-normal" onClick={onTimeline}>
        <ListTree aria-hidden />
        {t("timeline")}
      </Button>
      <Link to="/runs/$id" params={{ id: runId }} search={{ tab: "trace" }} className={cn(buttonVariants({ variant: "ghost", size: "sm" }), "font-normal")}>
        <Waypoints aria-hidden />
        {t("trace")}
      </Link>
      {state && (
        <span className="px-1">
          <Totals state={state} />
        </span>
      )}
    </div>
  );
}

export function Totals({ state }: { state: RunState }) {
  const t = useT();
  const language = useLanguage();
  const totals = totalsOf(state);
  const { startedAt, finishedAt } = state;
  const facts = [
    totals.inputTokens + totals.outputTokens > 0 && t("tokens", { in: totals.inputTokens, out: totals.outputTokens }),
    totals.cost !== undefined && cost(totals.cost, language),
    startedAt !== undefined && finishedAt !== undefined && duration(Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)), language),
  ].filter((fact): fact is string => typeof fact === "string");
  return (
    <span className="flex flex-wrap gap-x-2 tabular-nums">
      {facts.map((fact) => (
        <span key={fact} className="whitespace-nowrap">
          {fact}
        </span>
      ))}
    </span>
  );
}
