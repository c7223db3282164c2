import { Hand, LoaderCircle } from "lucide-react";

import type { Invocation } from "@/api/queries";
import { useMe } from "@/app/session";
import { DecisionActions, Expiry, termsOf } from "@/parts/decision";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { CancelButton } from "./CancelButton";
import { WaitsFor } from "./WaitsFor";

/** What a call that is not over still needs, or waits for; nothing once it ended. */
export function Standing({ call }: { call: Invocation }) {
  const t = useT();
  const me = useMe();
  if (call.status === "pending") {
    const { quorum, votes } = termsOf(call);
    return (
      <Card className="border-warn">
        <CardHeader>
          <CardTitle className="mr-auto flex items-center gap-2">
            <Hand aria-hidden className="size-4 text-warn" />
            {t("waiting.title")}
          </CardTitle>
          <Expiry at={call.approval_expires_at} className="text-sm" />
        </CardHeader>
        <CardContent className="flex flex-col gap-3">
          <p>
            {t("waiting.text")} {quorum > 1 && t("waiting.quorum", { votes: votes.length, quorum })}
          </p>
          <DecisionActions invocation={call} />
          {(call.caller === me.principal || !me.may("approvals.tenant.decide")) && <CancelButton call={call} />}
        </CardContent>
      </Card>
    );
  }
  if (call.status !== "running" && call.status !== "approved") return null;
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center gap-3">
        <LoaderCircle aria-hidden className="size-4 animate-spin text-info" />
        <div className="mr-auto min-w-0">
          <p>{t(call.status === "running" ? "running.text" : "approved.text")}</p>
          <WaitsFor ids={call.waiting_for ?? []} />
        </div>
        <CancelButton call={call} />
      </CardContent>
    </Card>
  );
}
