import { Hand, Hourglass } from "lucide-react";

import type { Invocation } from "@/api/queries";
import { WaitsFor } from "@/pages/invocations/call/WaitsFor";
import { StatusBadge } from "@/parts/badges/badges";
import { termsOf } from "@/parts/decision/terms";
import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { CallLink } from "./CallLink";
import { useT } from "./messages";

interface Props {
  invocation: Invocation;
  onCancel: () => void;
}

/** The call waits: for whose yes, or for whose work. It goes on here by itself. */
export function Waiting(props: Props) {
  return props.invocation.status === "pending" ? <Asking {...props} /> : <AtWork {...props} />;
}

/** It began, and what it began is not over: a task that somebody works on, or calls of its own. */
function AtWork({ invocation, onCancel }: Props) {
  const t = useT();
  const ids = invocation.waiting_for ?? [];
  const isTask = ids.some((id) => !id.startsWith("inv_"));
  return (
    <Card>
      <CardHeader>
        <CardTitle className="mr-auto flex items-center gap-2">
          <Hourglass aria-hidden className="size-4 text-info" />
          {ids.length === 0 ? t("run.running") : t(isTask ? "work.task" : "work.calls")}
        </CardTitle>
        <StatusBadge value={invocation.status} />
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <p>{t("work.body")}</p>
        <WaitsFor ids={ids} />
        <Ways invocation={invocation} onCancel={onCancel} />
      </CardContent>
    </Card>
  );
}

function Ways({ invocation, onCancel }: Props) {
  const t = useT();
  return (
    <div className="flex flex-wrap gap-2">
      <CallLink id={invocation.id} />
      <Button variant="ghost" size="sm" onClick={onCancel}>
        {t("cancel")}
      </Button>
    </div>
  );
}

function Asking({ invocation, onCancel }: Props) {
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
        <Ways invocation={invocation} onCancel={onCancel} />
      </CardContent>
    </Card>
  );
}
