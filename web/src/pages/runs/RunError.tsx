import { CircleX } from "lucide-react";

import type { Schemas } from "@/api/client";
import { JsonTree } from "@/parts/json/JsonTree";

import { useT } from "./messages";

/** Why it ended badly: the stable code, the words, and what the server adds. */
export function RunError({ error, title }: { error: Schemas["ToolError"]; title?: string }) {
  const t = useT();
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-lg border border-bad p-4">
      <p className="flex flex-wrap items-center gap-2 font-medium text-bad">
        <CircleX aria-hidden className="size-4" />
        {title ?? t("error")}
        <code className="rounded-sm bg-bad-soft px-1.5 font-mono text-xs">{error.code}</code>
      </p>
      <p className="text-sm break-words whitespace-pre-wrap">{error.message}</p>
      {error.retry_after_s ? <p className="text-sm text-muted-foreground">{t("error.retry", { seconds: error.retry_after_s })}</p> : null}
      {error.details && <JsonTree value={error.details} label={t("error.details")} maxHeightPx={200} />}
    </div>
  );
}
