import { useQuery } from "@tanstack/react-query";
import { Coins } from "lucide-react";

import { calledToolQuery, type Invocation } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { ApprovalStatusBadge, CachedBadge, EgressBadge, RiskBadge, StatusBadge, TestBadge } from "@/parts/badges/badges";
import { CopyButton } from "@/parts/copy/CopyButton";
import { cost } from "@/parts/time/format";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";
import { CallLinks } from "./CallLinks";

/** What the call is at a glance: how it stands, what it touches, what it cost, and its id to quote. */
export function CallHead({ call }: { call: Invocation }) {
  const t = useT();
  const language = useLanguage();
  const { data: tool } = useQuery(calledToolQuery(call.tool_key));
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1.5">
        <StatusBadge value={call.status} />
        {call.approval_status !== call.status && <ApprovalStatusBadge value={call.approval_status} />}
        <EgressBadge value={call.egress_class} />
        {tool?.risk && tool.risk !== "low" && <RiskBadge value={tool.risk} />}
        {typeof call.cost_estimate === "number" && (
          <Badge tone="outline">
            <Coins aria-hidden />
            {t("cost", { amount: cost(call.cost_estimate, language) })}
          </Badge>
        )}
        {call.cached && <CachedBadge />}
        {call.is_test && <TestBadge />}
        <RelativeTime at={call.created_at} className="text-sm text-muted-foreground" />
      </div>
      <div className="flex min-w-0 items-center gap-1 text-xs text-muted-foreground">
        <code className="min-w-0 truncate font-mono">{call.id}</code>
        <CopyButton text={call.id} label={t("copyId")} />
      </div>
      <CallLinks call={call} />
    </div>
  );
}
