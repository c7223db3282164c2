import { Hand } from "lucide-react";

import type { Invocation } from "@/api/queries";
import { StatusBadge } from "@/parts/badges/badges";
import { termsOf } from "@/parts/decision/terms";
import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { CallLink } from "./CallLink";
import { useT } from "./messages";

/** The call waits: for whom, and until when. It goes on here by itself. */
export function Waiting({ invocation, onCancel }: { invocation: Invocation; onCancel: () => void }) {
  const t = useT();
  const { quorum, allowSelf, votes } = termsOf(invocation);
  return (
    <Card>
      <CardHeader>
        <CardTitle className="mr-auto flex items-center gap-2">
          <Hand aria-hidden className="size-4 text-warn" />
          {t("approval.title")}
        </CardTitle>
        <StatusBadge value={invocation.status} />
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <p>{t("approval.body")}</p>
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted-foreground">
          <li>
            {t("approval.quorum", { count: quorum })} {t(allowSelf ? "approval.self" : "approval.other")}
          </li>
          <li>{t("approval.inbox")}</li>
          {votes.length > 0 && (
            <li>
              {t("approval.votes")} {votes.map((vote) => <Principal key={vote} id={vote} className="mr-1" />)}
            </li>
          )}
          {invocation.approval_expires_at && (
            <li>
              {t("approval.expires")} <RelativeTime at={invocation.approval_expires_at} />
            </li>
          )}
          {invocation.decision.evidence.map((evidence, index) => (
            <li key={index}>{evidence.because}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CallLink id={invocation.id} />
          <Button variant="ghost" size="sm" onClick={onCancel}>
            {t("cancel")}
          </Button>
        </div>
      </CardContent>
    </Card>
  );
}
