import { Link } from "@tanstack/react-router";
import { ReceiptText } from "lucide-react";

import { CachedBadge, EgressBadge, StatusBadge } from "@/parts/badges/badges";
import { JsonDiff } from "@/parts/changes/JsonDiff";
import { JsonTree } from "@/parts/json/JsonTree";
import { tookMs } from "@/parts/time/format";
import { Duration } from "@/parts/time/Time";
import { Principal } from "@/parts/people/Principal";
import { buttonVariants } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { RunError } from "../RunError";
import type { Call } from "../types";
import type { Asked } from "./moments";
import { meant } from "./moments";

/** What the model asked for, whether it was allowed, what ran, and what it answered. */
export function AskedCard({ asked: { wish, call, search } }: { asked: Asked }) {
  const t = useT();
  const ms = tookMs(call?.started_at, call?.completed_at);
  const name = call?.tool_key ?? (wish ? meant(wish) : "");
  const given = wish === undefined ? call?.input : "json" in wish.arguments ? wish.arguments.json : wish.arguments.malformed;
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle as="h3" className="min-w-0 font-mono text-xs break-all">
          {name}
        </CardTitle>
        {call && (
          <>
            <StatusBadge value={call.status} />
            <EgressBadge value={call.egress_class} />
            {call.cached && <CachedBadge />}
            {ms !== undefined && <Duration ms={ms} className="text-xs text-muted-foreground" />}
            <Link to="." search={(old) => ({ ...old, invocation: call.id })} className={buttonVariants({ variant: "outline", size: "sm", className: "ml-auto" })}>
              <ReceiptText aria-hidden />
              {t("openCall")}
            </Link>
          </>
        )}
      </CardHeader>
      <CardContent className="flex min-w-0 flex-col gap-3">
        <Labelled label={t("arguments")} value={given ?? {}} />
        {call && <Changed call={call} />}
        {call && <Decision call={call} />}
        {search && <Labelled label={t("found")} value={search.found.map(({ name: tool, version }) => `${tool}@${version}`)} />}
        {call?.error ? (
          <RunError error={call.error} title={t("call.failed")} />
        ) : call?.output !== undefined && call.output !== null ? (
          <Labelled label={t("result")} value={call.output} />
        ) : (
          !search && <p className="text-sm text-muted-foreground">{call ? t("result.none") : t("notCalled")}</p>
        )}
        {call?.truncated && <p className="text-sm text-muted-foreground">{t("result.cut")}</p>}
      </CardContent>
    </Card>
  );
}

function Labelled({ label, value }: { label: string; value: unknown }) {
  return (
    <div className="min-w-0">
      <h4 className="pb-1 text-xs font-medium text-muted-foreground">{label}</h4>
      <JsonTree value={value} label={label} maxHeightPx={280} />
    </div>
  );
}

/** Whoever approved may have changed what was asked for. */
function Changed({ call }: { call: Call }) {
  const t = useT();
  if (!call.approved_input) return null;
  return (
    <div>
      <h4 className="pb-1 text-xs font-medium text-muted-foreground">{t("call.changed")}</h4>
      <JsonDiff before={call.input} after={call.approved_input} label={t("call.changed")} />
    </div>
  );
}

function Decision({ call }: { call: Call }) {
  const t = useT();
  const { verdict, evidence } = call.decision;
  return (
    <details className="min-w-0 text-sm">
      <summary className="cursor-pointer text-muted-foreground max-md:min-h-11 max-md:py-3">
        {t(`verdict.${verdict}`)}
        {call.approval_decided_by && (
          <>
            {" · "}
            {t(call.approval_status === "rejected" ? "rejectedBy" : "approvedBy")} <Principal id={call.approval_decided_by} />
          </>
        )}
      </summary>
      <ul className="flex flex-col gap-1 pt-2">
        {evidence.map(({ rule, because, verdict: said }) => (
          <li key={rule + because} className="flex flex-wrap gap-x-2">
            <code className="font-mono text-xs">{rule}</code>
            <span className="text-muted-foreground">{t(`verdict.${said}`)}:</span>
            <span className="min-w-0 break-words">{because}</span>
          </li>
        ))}
        {call.approval_reason && <li className="break-words">{call.approval_reason}</li>}
      </ul>
    </details>
  );
}
