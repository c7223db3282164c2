import { CircleSlash, CircleX, RotateCcw } from "lucide-react";

import { Button } from "@/ui/button";

import { useT } from "../messages";
import type { Status, ToolError } from "../run/state";

const KNOWN = ["AUTH_REQUIRED", "NETWORK_ERROR", "POLICY_DENIED", "PROVIDER_ERROR", "RATE_LIMIT", "SANDBOX_ERROR", "TIMEOUT", "UNKNOWN", "VALIDATION_ERROR"] as const;

interface Props {
  status: Status;
  error: ToolError | undefined;
  onRetry: (() => void) | undefined;
}

/** Why there is no answer, in plain words; the server's own words below; and the way on. */
export function AnswerError({ status, error, onRetry }: Props) {
  const t = useT();
  const retry = onRetry && (
    <Button variant="outline" size="sm" onClick={onRetry}>
      <RotateCcw aria-hidden />
      {t("retry")}
    </Button>
  );
  if (status === "cancelled") {
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
        <CircleSlash aria-hidden className="size-4" />
        <span className="mr-auto">{t("stopped")}</span>
        {retry}
      </div>
    );
  }
  const code = KNOWN.find((known) => known === error?.code) ?? "UNKNOWN";
  const isModelMissing = code === "AUTH_REQUIRED" && error?.details?.["reason"] === "no_model";
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-lg border border-bad p-3">
      <p className="flex flex-wrap items-center gap-2 font-medium text-bad">
        <CircleX aria-hidden className="size-4" />
        {status === "rejected" ? t("error.rejected") : t(`error.${code}`)}
        <code className="rounded-sm bg-bad-soft px-1.5 font-mono text-xs">{error?.code ?? code}</code>
      </p>
      {error && <p className="text-sm break-words whitespace-pre-wrap">{error.message}</p>}
      <p className="text-sm text-muted-foreground">
        {isModelMissing ? t("hint.noModel") : t(`hint.${code}`)} {error?.retry_after_s ? t("hint.after", { count: error.retry_after_s }) : ""}
      </p>
      {retry && <div>{retry}</div>}
    </div>
  );
}
