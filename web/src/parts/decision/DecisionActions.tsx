import { Check, CheckCheck, Pencil, X } from "lucide-react";
import { useId, useState } from "react";

import type { Invocation } from "@/api/queries";
import { useMe } from "@/app/session";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

import { useDecide, type Outcome } from "./decide";
import { DecisionDialog, type Asking } from "./DecisionDialog";
import { useT } from "./messages";
import { canBeEdited, canBeForGood, isWaiting, needsAnother } from "./terms";

interface Props {
  invocation: Invocation;
  onDone?: (outcome: Outcome) => void;
  size?: "default" | "sm";
  className?: string;
}

/** Approve, approve for good, edit, reject: whatever this call and this person allow. Nothing where the call does not wait. */
export function DecisionActions({ invocation, onDone, size = "default", className }: Props) {
  const t = useT();
  const me = useMe();
  const id = useId();
  const [asking, setAsking] = useState<Asking>();
  const decide = useDecide(onDone);
  if (!isWaiting(invocation)) return null;
  if (!me.may("approvals.tenant.decide")) return <p className={cn("text-sm text-muted-foreground", className)}>{t("mayNot")}</p>;
  const isOwn = needsAnother(invocation, me.principal);
  const note = isOwn ? `${id}-own` : undefined;
  const approve = (always = false) => decide.mutate({ invocation, ruling: { kind: "approve", always } });
  return (
    <div className={cn("flex flex-col gap-2", className)}>
      <div role="group" aria-label={t("group", { tool: invocation.tool_name })} className="flex flex-wrap gap-2">
        <Button size={size} disabled={isOwn} aria-describedby={note} busy={decide.isPending && asking === undefined} onClick={() => approve()} className="max-md:flex-1">
          {!decide.isPending && <Check aria-hidden />}
          {t("approve")}
        </Button>
        <Button variant="outline" size={size} disabled={decide.isPending} onClick={() => setAsking("reject")} className="max-md:flex-1">
          <X aria-hidden />
          {t("reject")}
        </Button>
        {canBeEdited(invocation) && (
          <Button variant="outline" size={size} disabled={isOwn || decide.isPending} aria-describedby={note} onClick={() => setAsking("edit")} className="max-md:flex-1">
            <Pencil aria-hidden />
            {t("edit")}
          </Button>
        )}
        {canBeForGood(invocation) && me.may("agents.tenant.update") && (
          <Button variant="ghost" size={size} title={t("always.help")} disabled={isOwn || decide.isPending} aria-describedby={note} onClick={() => approve(true)}>
            <CheckCheck aria-hidden />
            {t("always")}
          </Button>
        )}
      </div>
      {isOwn && (
        <p id={note} className="text-sm text-muted-foreground">
          {t("own")}{" "}
          <Button variant="link" size="inline" onClick={() => setAsking("self")}>
            {t("self.open")}
          </Button>
        </p>
      )}
      <DecisionDialog invocation={invocation} asking={asking} onClose={() => setAsking(undefined)} onDone={onDone} />
    </div>
  );
}
