import { Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { useLanguage } from "@/app/i18n";
import { duration } from "@/parts/time/format";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { Spinner } from "@/ui/spinner";

import { useT } from "./messages";
import type { Run } from "./run/state";

type RunningRun = Extract<Run, { state: "running" }>;
const TICK_MS = 250;

/** How long, how far, and what the tool says meanwhile. */
export function Running({ run, onCancel }: { run: RunningRun; onCancel: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { progress, lines, invocationId, isCancelling } = run;
  const elapsedMs = useElapsed(run.startedAt);
  return (
    <Card>
      <CardHeader>
        <CardTitle className="mr-auto flex items-center gap-2">
          <Spinner />
          {isCancelling ? t("cancelling") : invocationId === undefined ? t("starting") : t("run.running")}
        </CardTitle>
        <span className="text-sm text-muted-foreground tabular-nums">{t("elapsed", { time: duration(elapsedMs, language) })}</span>
        <Button variant="outline" size="sm" disabled={invocationId === undefined || isCancelling} onClick={onCancel}>
          <Square aria-hidden />
          {t("cancel")}
        </Button>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <progress
          aria-label={t("progress")}
          className="h-2 w-full accent-primary"
          {...(progress?.total === undefined ? {} : { value: progress.done, max: progress.total })}
        />
        {lines.length > 0 && <Lines lines={lines} />}
      </CardContent>
    </Card>
  );
}

function Lines({ lines }: { lines: string[] }) {
  const t = useT();
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => {
    place.current?.scrollTo({ top: place.current.scrollHeight });
  }, [lines]);
  return (
    // It scrolls, so a keyboard must be able to get into it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre ref={place} tabIndex={0} role="log" aria-label={t("lines")} className="max-h-60 overflow-auto rounded-md bg-muted p-3 font-mono text-xs whitespace-pre-wrap break-words">
      {lines.join("\n")}
    </pre>
  );
}

function useElapsed(startedAt: number): number {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [startedAt]);
  return Math.max(0, now - startedAt);
}
