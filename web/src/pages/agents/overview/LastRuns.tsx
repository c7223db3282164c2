import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";

import type { Agent } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { PathLink } from "@/app/PathLink";
import { StatusBadge } from "@/parts/badges/badges";
import { Failed, Loading } from "@/parts/states/states";
import { cost, tookMs } from "@/parts/time/format";
import { Duration, RelativeTime } from "@/parts/time/Time";
import { Button, buttonVariants } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import { useRuns, type Run } from "../queries";

const SHOWN = 5;

export function LastRuns({ agent }: { agent: Agent }) {
  const t = useT();
  const runs = useRuns(agent.id, SHOWN);
  return (
    <Card>
      <CardHeader>
        <CardTitle className="mr-auto">{t("runs")}</CardTitle>
        <Link to="/runs" search={{ agent: agent.handle }} className={cn(buttonVariants({ variant: "link", size: "inline" }), "text-sm max-md:-my-3 max-md:min-h-11")}>
          {t("runs.all")}
        </Link>
      </CardHeader>
      <CardContent>
        {runs.isLoading ? (
          <Loading />
        ) : runs.error ? (
          <Failed error={runs.error} onRetry={runs.retry} />
        ) : runs.rows.length === 0 ? (
          <p className="flex items-center gap-2 text-sm text-muted-foreground">
            <Play aria-hidden className="size-4 shrink-0" />
            {t("runs.none")}
          </p>
        ) : (
          <ul className="-my-2 divide-y" aria-label={t("runs")}>
            {runs.rows.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </ul>
        )}
        {runs.hasMore && (
          <Button variant="outline" size="sm" className="mt-3" busy={runs.isLoadingMore} onClick={runs.more}>
            {t("older")}
          </Button>
        )}
      </CardContent>
    </Card>
  );
}

function RunRow({ run }: { run: Run }) {
  const t = useT();
  const language = useLanguage();
  const ms = tookMs(run.started_at, run.completed_at);
  return (
    <li className="grid gap-1 py-2 text-sm">
      <PathLink path={`/runs/${encodeURIComponent(run.id)}`} className="line-clamp-2 break-words text-link hover:underline max-md:py-2">
        {run.message || t("runs.untitled")}
      </PathLink>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted-foreground">
        <StatusBadge value={run.status} />
        {run.waiting_for.length > 0 && <span className="text-warn">{t("runs.waits")}</span>}
        <RelativeTime at={run.created_at} />
        {ms !== undefined && <Duration ms={ms} />}
        {run.cost != null && run.cost > 0 && <span>{cost(run.cost, language)}</span>}
      </span>
    </li>
  );
}
