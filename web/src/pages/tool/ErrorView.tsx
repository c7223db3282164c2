import { CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { JsonTree } from "@/parts/json/JsonTree";
import { complaintsIn } from "@/parts/form";
import { FoldedText } from "@/parts/text/FoldedText";

import { useT } from "./messages";

const KNOWN = ["AUTH_REQUIRED", "NETWORK_ERROR", "POLICY_DENIED", "PROVIDER_ERROR", "RATE_LIMIT", "SANDBOX_ERROR", "TIMEOUT", "UNKNOWN", "VALIDATION_ERROR"] as const;

interface Props {
  title: string;
  code: string;
  message: string;
  details?: unknown;
  retryAfterS?: number | null;
  children?: ReactNode;
}

/** What happened in the tool's words, the stable code, and what to do about it. */
export function ErrorView({ title, code, message, details, retryAfterS, children }: Props) {
  const t = useT();
  const hint = KNOWN.find((known) => known === code);
  // The fields already say what is wrong with them.
  const hasDetails = details !== undefined && details !== null && complaintsIn(details).length === 0;
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-lg border border-bad p-4">
      <p className="flex flex-wrap items-center gap-2 font-medium text-bad">
        <CircleX aria-hidden className="size-4" />
        {title}
        <code className="rounded-sm bg-bad-soft px-1.5 font-mono text-xs">{code}</code>
      </p>
      <FoldedText text={message} lines={8} />
      {(hint ?? retryAfterS) && (
        <p className="text-sm text-muted-foreground">
          {hint && t(`hint.${hint}`)} {retryAfterS ? t("error.retry", { seconds: retryAfterS }) : ""}
        </p>
      )}
      {hasDetails && <JsonTree value={details} label={code} maxHeightPx={240} />}
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
