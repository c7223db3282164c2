import { CheckCheck } from "lucide-react";

import { Button } from "@/ui/button";

import { useAcceptAll } from "../actions";
import { useT } from "../messages";
import type { McpTool } from "../queries";
import { ReviewCard } from "./ReviewCard";
import { byUrgency, plainNew, waits } from "./order";

/** What a person must look at, before everything else on the page. */
export function Waiting({ server, tools, mayReview }: { server: string; tools: McpTool[]; mayReview: boolean }) {
  const t = useT();
  const acceptAll = useAcceptAll(server);
  const waiting = tools.filter(waits).sort(byUrgency);
  const plain = waiting.filter(plainNew);
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="waiting-title" className="grid gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id="waiting-title" className="font-semibold">
            {t("waiting.title", { count: waiting.length })}
          </h2>
          <p className="text-sm text-muted-foreground">{mayReview ? t("waiting.text", { count: waiting.length }) : t("waiting.noRight")}</p>
        </div>
        {mayReview && plain.length > 1 && (
          <Button variant="outline" busy={acceptAll.isPending} onClick={() => acceptAll.mutate(plain)}>
            <CheckCheck aria-hidden />
            {t("waiting.acceptPlain", { count: plain.length })}
          </Button>
        )}
      </div>
      {waiting.map((tool) => (
        <ReviewCard key={tool.tool} server={server} tool={tool} mayReview={mayReview} />
      ))}
    </section>
  );
}
