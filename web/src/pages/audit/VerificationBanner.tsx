import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RefreshCw, ShieldAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/client";
import { explain } from "@/app/notify";
import { CopyButton } from "@/parts/copy/CopyButton";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";

import { useT } from "./messages";
import { verifyQuery } from "./queries";

type Verified = Schemas["VerifyAuditResponse"];

/** Whether the trail is as it was recorded; and if not, where it is not. */
export function VerificationBanner({ onOpenEvent }: { onOpenEvent(id: string): void }) {
  const t = useT();
  const { data: verified, error, isFetching, refetch, dataUpdatedAt } = useQuery(verifyQuery);
  const again = (
    <Button variant="outline" size="sm" busy={isFetching} onClick={() => void refetch()} className="ml-auto text-foreground">
      {!isFetching && <RefreshCw aria-hidden />}
      {t("verify.again")}
    </Button>
  );
  if (error && !isFetching) {
    const { title, detail } = explain(error);
    return (
      <Frame className="bg-warn-soft text-warn" head={<><ShieldAlert aria-hidden className="size-5 shrink-0" />{t("verify.failed")}</>} again={again}>
        <p>{`${title}. ${detail}`}</p>
      </Frame>
    );
  }
  if (!verified) {
    return <Frame className="bg-muted" head={<><Spinner />{t("verify.running")}</>}><p className="text-muted-foreground">{t("verify.runningText")}</p></Frame>;
  }
  if (!verified.ok) return <Broken verified={verified} again={again} onOpenEvent={onOpenEvent} />;
  return (
    <Frame className="bg-good-soft text-good" head={<><ShieldCheck aria-hidden className="size-5 shrink-0" />{t("verify.ok")}</>} again={again}>
      <p>
        {t("verify.looked", counts(verified))} <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />
      </p>
      <Proof publicKey={verified.public_key ?? ""} />
    </Frame>
  );
}

const KINDS = ["changed", "removed", "inserted", "broken_link", "bad_signature", "truncated"] as const;

function Broken({ verified, again, onOpenEvent }: { verified: Verified; again: ReactNode; onOpenEvent(id: string): void }) {
  const t = useT();
  const { finding } = verified;
  const kind = KINDS.find((one) => one === finding?.kind);
  const record = finding?.record ?? "";
  return (
    <Frame role="alert" className="border-bad bg-bad-soft text-bad" head={<><ShieldAlert aria-hidden className="size-5 shrink-0" />{t("verify.broken")}</>} again={again}>
      <p className="font-medium break-words">
        {kind && `${t(`finding.${kind}`)}: `}
        {record.startsWith("inv_") ? (
          <Link to="." search={(old) => ({ ...old, invocation: record })} className="font-mono underline">
            {record}
          </Link>
        ) : record.startsWith("aud_") ? (
          <button type="button" className="font-mono underline" onClick={() => onOpenEvent(record)}>
            {record}
          </button>
        ) : (
          <code className="font-mono">{record}</code>
        )}
      </p>
      <p className="break-words">{finding?.explanation}</p>
      <p>{t("verify.until", counts(verified))}</p>
      <p>{t("verify.advice")}</p>
    </Frame>
  );
}

function counts({ links, receipts, events, signed_heads }: Verified) {
  return { links, receipts, events, signatures: signed_heads };
}

/** What to keep elsewhere, and how to check an export without this server. */
function Proof({ publicKey }: { publicKey: string }) {
  const t = useT();
  const command = `toolgate audit verify --file audit.jsonl --public-key ${publicKey}`;
  return (
    <details className="text-foreground">
      <summary className="cursor-pointer text-sm max-md:min-h-11 max-md:py-3">{t("proof")}</summary>
      <div className="flex flex-col gap-2 pt-2 text-sm">
        <p className="text-muted-foreground">{t("proof.text")}</p>
        <span className="flex items-center gap-1 rounded-md bg-background pl-3">
          <code className="min-w-0 flex-1 py-2 font-mono text-xs break-all">{command}</code>
          <CopyButton text={command} label={t("proof.copy")} />
        </span>
      </div>
    </details>
  );
}

function Frame({ head, again, children, className, role = "status" }: { head: ReactNode; again?: ReactNode; children: ReactNode; className: string; role?: "status" | "alert" }) {
  const t = useT();
  return (
    <section aria-label={t("verify")} className={`flex flex-col gap-1.5 rounded-lg border px-4 py-3 text-sm ${className}`}>
      <div className="flex flex-wrap items-center gap-2">
        <p role={role} className="flex items-center gap-2 font-medium">
          {head}
        </p>
        {again}
      </div>
      {children}
    </section>
  );
}
