import { CircleX } from "lucide-react";

import type { Schemas } from "@/api/client";
import { JsonTree } from "@/parts/json/JsonTree";

import { useT } from "../messages";

/** How the call failed: the tool's words, the stable code, and whatever it knows besides. */
export function CallError({ error }: { error: Schemas["ToolError"] }) {
  const t = useT();
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-lg border border-bad p-4">
      <p className="flex items-start gap-2">
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <span className="min-w-0 break-words whitespace-pre-wrap">{error.message}</span>
      </p>
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
        <code className="rounded-sm bg-bad-soft px-1.5 font-mono text-xs text-bad">{error.code}</code>
        {error.retry_after_s ? t("error.retry", { seconds: error.retry_after_s }) : null}
      </p>
      {error.details && <JsonTree value={error.details} label={t("error.details")} maxHeightPx={280} />}
    </div>
  );
}
