import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Flag, MessageSquareQuote, Play, Search, type LucideIcon } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { Failed, Loading } from "@/parts/states/states";
import { cost, duration } from "@/parts/time/format";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { stepsQuery } from "../queries";
import { momentOfStep } from "../replay/moments";
import { isOver, type KeptTurn, type Run, type Step } from "../types";

const ICONS: Record<Step["kind"], LucideIcon> = { begin: Play, turn: MessageSquareQuote, search: Search };

/** The run's steps in short; each leads to its place in the replay. */
export function Steps({ run }: { run: Run }) {
  const t = useT();
  const { data: steps, error, refetch } = useQuery(stepsQuery(run.id));
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("steps")}</CardTitle>
      </CardHeader>
      <CardContent className="p-0">
        {error && !steps ? (
          <Failed error={error} onRetry={() => void refetch()} className="border-0" />
        ) : !steps ? (
          <Loading className="p-4" />
        ) : steps.length === 0 ? (
          <p className="p-4 text-sm text-muted-foreground">{isOver(run) ? t("steps.none") : t("steps.notYet")}</p>
        ) : (
          <ol className="divide-y">
            {steps.map((step) => (
              <StepLine key={step.id} step={step} number={momentOfStep(steps, step)} startMs={Date.parse(run.started_at ?? run.created_at)} />
            ))}
            {isOver(run) && <EndLine number={momentOfStep(steps, undefined)} text={t(`ended.${run.status === "completed" ? "well" : "badly"}`)} />}
          </ol>
        )}
      </CardContent>
    </Card>
  );
}

const ROW = "flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-accent/60 max-md:min-h-11";

function StepLine({ step, number, startMs }: { step: Step; number: number; startMs: number }) {
  const t = useT();
  const language = useLanguage();
  const Icon = ICONS[step.kind];
  const turn = step.kind === "turn" ? (step.body as unknown as KeptTurn) : undefined;
  const usage = turn?.turn.usage;
  return (
    <li>
      <Link to="." search={(search) => ({ ...search, tab: "replay" as const, step: number })} className={ROW}>
        <Icon aria-hidden className="size-4 shrink-0 self-center text-muted-foreground" />
        <span className="min-w-0 flex-1 basis-48 break-words">{step.kind === "begin" ? t("steps.begin") : step.title}</span>
        {usage && <span className="text-xs text-muted-foreground tabular-nums">{t("tokens.inOut", { in: usage.input_tokens ?? 0, out: usage.output_tokens ?? 0 })}</span>}
        {turn?.cost ? <span className="text-xs text-muted-foreground tabular-nums">{cost(turn.cost, language)}</span> : null}
        <span className="w-16 text-right text-xs text-muted-foreground tabular-nums">+{duration(Math.max(0, Date.parse(step.created_at) - startMs), language)}</span>
      </Link>
    </li>
  );
}

function EndLine({ number, text }: { number: number; text: string }) {
  return (
    <li>
      <Link to="." search={(search) => ({ ...search, tab: "replay" as const, step: number })} className={ROW}>
        <Flag aria-hidden className="size-4 shrink-0 self-center text-muted-foreground" />
        {text}
      </Link>
    </li>
  );
}
