import { useQuery } from "@tanstack/react-query";
import { Hand } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";

import { invocationQuery } from "@/api/queries";
import { EgressBadge } from "@/parts/badges/badges";
import { DecisionActions, Expiry } from "@/parts/decision";
import { JsonTree } from "@/parts/json/JsonTree";
import { humane } from "@/parts/sections/rows";
import { Failed, Loading } from "@/parts/states/states";

import { useT } from "../messages";
import type { Call } from "../run/state";

/** “May the agent do this?”, asked where the conversation stands. The run goes on here by itself when somebody has answered. */
export function ApprovalCard({ call }: { call: Call }) {
  const t = useT();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const wasIn = useRef(false);
  const { data: invocation, error, refetch } = useQuery(invocationQuery(call.id));
  useLayoutEffect(
    () =>
      // Once it is answered the card goes; whoever stood in it goes on at the call that it was about. A button that works is disabled,
      // and has lost the focus to the page by then.
      () => {
        if (wasIn.current) document.getElementById(`call-${call.id}`)?.focus();
      },
    [call.id],
  );
  const because = invocation?.decision.evidence.filter(({ verdict }) => verdict === "ask").map((evidence) => evidence.because) ?? [];
  return (
    <section
      ref={card}
      aria-labelledby={id}
      onFocus={() => (wasIn.current = true)}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !card.current?.contains(relatedTarget)) wasIn.current = false;
      }}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-warn bg-card p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={id} className="flex items-center gap-2 font-medium">
          <Hand aria-hidden className="size-4 text-warn" />
          {t("asks", { tool: humane(call.name) })}
        </h3>
        {invocation && <EgressBadge value={invocation.egress_class} />}
        <Expiry at={invocation?.approval_expires_at} className="ml-auto text-xs" />
      </div>
      {because.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm text-muted-foreground">
          {because.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <JsonTree value={call.input ?? {}} label={t("input")} maxHeightPx={220} />
      {invocation ? <DecisionActions invocation={invocation} /> : error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading className="min-h-8" />}
    </section>
  );
}
