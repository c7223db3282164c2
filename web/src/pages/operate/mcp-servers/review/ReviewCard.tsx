import { Check, ChevronRight, X } from "lucide-react";
import { useId } from "react";

import { LineDiff } from "@/parts/diff/LineDiff";
import { JsonTree } from "@/parts/json/JsonTree";
import { Principal } from "@/parts/people/Principal";
import { Refusal } from "@/parts/refusal/Refusal";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader } from "@/ui/card";

import { visible } from "../../shared/visible";
import { useReview } from "../actions";
import { useT } from "../messages";
import type { McpTool } from "../queries";
import { LockBadge } from "../states";
import { Changes } from "./Changes";
import { DefinitionView } from "./DefinitionView";

/** One tool that waits: what differs, in words and in full, and the answer. */
export function ReviewCard({ server, tool, mayReview }: { server: string; tool: McpTool; mayReview: boolean }) {
  const t = useT();
  const id = useId();
  const review = useReview(server);
  const { pending, accepted, digest } = tool;
  const answer = (answer: "accept" | "reject") => digest && review.mutate({ tool: tool.tool, digest, answer });
  return (
    <Card role="article" aria-labelledby={id}>
      <CardHeader>
        <h3 id={id} className="font-mono text-sm font-semibold break-all">
          {tool.name}
        </h3>
        <LockBadge state={tool.state} />
        <span className="ml-auto flex flex-wrap gap-x-3 text-xs text-muted-foreground">
          {pending?.rejected_by && (
            <span>
              {t("rejectedBy")} <Principal id={pending.rejected_by} />
            </span>
          )}
          {accepted && (
            <span>
              {t("acceptedBy")} <Principal id={accepted.by} /> <RelativeTime at={accepted.at} />
            </span>
          )}
          {pending && (
            <span>
              {t("seen")} <RelativeTime at={pending.seen_at} />
            </span>
          )}
        </span>
      </CardHeader>
      <CardContent className="grid gap-4">
        <Refusal error={review.error} />
        {tool.changes.length > 0 && <Changes changes={tool.changes} />}
        {!accepted && pending && (
          <>
            {tool.changes.length === 0 && <p className="text-sm text-muted-foreground">{t("nothingHidden")}</p>}
            <DefinitionView definition={pending.definition} />
          </>
        )}
        {pending && <Raw tool={tool} />}
        {mayReview && digest && (
          <div className="flex flex-wrap gap-2">
            <Button busy={review.isPending && review.variables.answer === "accept"} disabled={review.isPending} onClick={() => answer("accept")} aria-label={t("accept.label", { tool: tool.name })}>
              <Check aria-hidden />
              {t("accept")}
            </Button>
            {!pending?.rejected_by && (
              <Button variant="outline" busy={review.isPending && review.variables.answer === "reject"} disabled={review.isPending} onClick={() => answer("reject")} aria-label={t("reject.label", { tool: tool.name })}>
                <X aria-hidden />
                {t("reject")}
              </Button>
            )}
          </div>
        )}
      </CardContent>
    </Card>
  );
}

const json = (value: unknown) => JSON.stringify(value, null, 2) ?? "";

function Raw({ tool: { accepted, pending } }: { tool: McpTool }) {
  const t = useT();
  const label = accepted ? t("raw") : t("raw.new");
  return (
    <details className="group min-w-0">
      <summary className="flex cursor-pointer items-center gap-1 text-sm text-link hover:underline max-md:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 group-open:rotate-90" />
        {label}
      </summary>
      <div className="grid gap-1 pt-2">
        {accepted && (
          <p className="text-xs text-muted-foreground">
            − {t("raw.before")} · + {t("raw.after")}
          </p>
        )}
        {accepted ? <LineDiff label={label} before={visible(json(accepted.definition))} after={visible(json(pending?.definition))} /> : <JsonTree label={label} value={pending?.definition} />}
      </div>
    </details>
  );
}
