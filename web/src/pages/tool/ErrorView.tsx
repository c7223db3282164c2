import { CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { PathLink } from "@/app/PathLink";
import { useMe } from "@/app/session";
import { JsonTree } from "@/parts/json/JsonTree";
import { complaintsIn } from "@/parts/form";
import { FoldedText } from "@/parts/text/FoldedText";
import { buttonVariants } from "@/ui/button";

import { useT } from "./messages";

const KNOWN = ["AUTH_REQUIRED", "NETWORK_ERROR", "POLICY_DENIED", "PROVIDER_ERROR", "RATE_LIMIT", "SANDBOX_ERROR", "TIMEOUT", "UNKNOWN", "VALIDATION_ERROR"] as const;
/** Where the tool says why, the advice is about that: the code alone would send people to the wrong place. */
const REASONS = ["no_model", "address_refused"] as const;

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
  const me = useMe();
  const known = KNOWN.find((one) => one === code);
  const reason = REASONS.find((one) => one === reasonOf(details));
  const hint = reason ? t(`hint.reason.${reason}`) : known && t(`hint.${known}`);
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
          {hint} {retryAfterS ? t("error.retry", { seconds: retryAfterS }) : ""}
        </p>
      )}
      {hasDetails && <JsonTree value={details} label={code} maxHeightPx={240} />}
      {reason === "no_model" && me.may("agents.tenant.update") && (
        <PathLink path="/operate/providers" className={buttonVariants({ variant: "outline", size: "sm", className: "self-start" })}>
          {t("hint.providers")}
        </PathLink>
      )}
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}

function reasonOf(details: unknown): unknown {
  return typeof details === "object" && details !== null && "reason" in details ? details.reason : undefined;
}
