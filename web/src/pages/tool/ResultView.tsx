import { Ban, CircleCheck, CircleSlash, CircleX, RotateCw } from "lucide-react";

import type { Tool } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { CachedBadge } from "@/parts/badges/badges";
import { Output } from "@/parts/sections";
import { cost, duration } from "@/parts/time/format";
import { Button } from "@/ui/button";
import { Card, CardContent } from "@/ui/card";

import { CallLink } from "./CallLink";
import { ErrorView } from "./ErrorView";
import { useT } from "./messages";
import type { Result } from "./run/state";

/** The end of a call: what it answered, what it took, and where it is on record. */
export function ResultView({ result, tool, onAgain }: { result: Result; tool: Tool; onAgain: () => void }) {
  const t = useT();
  const { error, warnings, isTruncated, isCancelled, isRejected } = result;
  const hasOutput = result.output !== undefined || result.attachments.length > 0;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Facts result={result} onAgain={onAgain} />
      {isCancelled && <p className="rounded-lg border border-border p-4">{t("cancelled.body")}</p>}
      {isRejected && <p className="rounded-lg border border-border p-4">{t("rejected.body")}</p>}
      {error && !isCancelled && <ErrorView title={t("error.title")} code={error.code} message={error.message} details={error.details} retryAfterS={error.retry_after_s} />}
      {warnings.length > 0 && (
        <ul aria-label={t("warnings")} className="rounded-lg border border-border bg-warn-soft px-4 py-3 text-sm text-warn">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {isTruncated && <p className="text-sm text-muted-foreground">{t("truncated")}</p>}
      {(hasOutput || (!error && !isRejected)) && (
        <Card>
          <CardContent>
            <Output output={result.output} sections={tool.output_sections} attachments={result.attachments} name={tool.name} />
          </CardContent>
        </Card>
      )}
    </div>
  );
}

function Facts({ result, onAgain }: { result: Result; onAgain: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { error, isCancelled, isRejected, isCached, durationMs, cost: spent } = result;
  const [Icon, tone, word] = isRejected
    ? ([Ban, "text-bad", t("rejected")] as const)
    : isCancelled
      ? ([CircleSlash, "text-quiet", t("cancelled")] as const)
      : error
        ? ([CircleX, "text-bad", t("error.title")] as const)
        : ([CircleCheck, "text-good", t("done")] as const);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className={`flex items-center gap-1.5 font-medium ${tone}`}>
        <Icon aria-hidden className="size-4" />
        {word}
      </h2>
      {isCached && <CachedBadge />}
      {durationMs !== undefined && <span className="text-sm text-muted-foreground">{t("duration", { time: duration(durationMs, language) })}</span>}
      {spent !== undefined && spent > 0 && <span className="text-sm text-muted-foreground">{t("cost", { amount: cost(spent, language) })}</span>}
      <span className="ml-auto flex flex-wrap gap-2">
        <CallLink id={result.invocationId} />
        <Button variant="outline" size="sm" onClick={onAgain}>
          <RotateCw aria-hidden />
          {t("again")}
        </Button>
      </span>
    </div>
  );
}
