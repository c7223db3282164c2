import { Link } from "@tanstack/react-router";
import { Ban, CircleCheck, CircleX, Hourglass } from "lucide-react";

import type { Agent } from "@/api/queries";
import { LookBadge, type Look } from "@/parts/badges/LookBadge";
import { Failed, Loading } from "@/parts/states/states";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { hasMessage, useT } from "../messages";
import { useActions, type AgentAction } from "../queries";

const SHOWN = 5;
const LOOK: Record<string, Look> = {
  success: { tone: "good", icon: CircleCheck },
  blocked_by_policy: { tone: "bad", icon: Ban },
  throttled: { tone: "warn", icon: Hourglass },
  failed: { tone: "bad", icon: CircleX },
};

/** What it did on its own (`run_agent_action`), and what came of it. */
export function OwnActions({ agent }: { agent: Agent }) {
  const t = useT();
  const actions = useActions(agent.id, SHOWN);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("did")}</CardTitle>
      </CardHeader>
      <CardContent>
        {actions.isLoading ? (
          <Loading />
        ) : actions.error ? (
          <Failed error={actions.error} onRetry={actions.retry} />
        ) : actions.rows.length === 0 ? (
          <p className="text-sm text-muted-foreground">{t("did.none")}</p>
        ) : (
          <ul className="-my-2 divide-y" aria-label={t("did")}>
            {actions.rows.map((action) => (
              <ActionRow key={action.id} action={action} />
            ))}
          </ul>
        )}
        {actions.hasMore && (
          <Button variant="outline" size="sm" className="mt-3" busy={actions.isLoadingMore} onClick={actions.more}>
            {t("older")}
          </Button>
        )}
      </CardContent>
    </Card>
  );
}

function ActionRow({ action }: { action: AgentAction }) {
  const t = useT();
  const key = `did.${action.result}`;
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2 text-sm">
      <Link to="." search={(old) => ({ ...old, invocation: action.invocation_id ?? action.id })} className="font-medium break-words text-link hover:underline max-md:py-2">
        {action.action}
      </Link>
      <LookBadge look={LOOK[action.result] ?? { tone: "quiet", icon: CircleX }} text={hasMessage(key) ? t(key as "did.success") : action.result} />
      {(action.reason ?? action.error) && <span className="min-w-0 truncate text-xs text-muted-foreground">{action.reason ?? action.error}</span>}
      <RelativeTime at={action.at} className="ml-auto text-xs text-muted-foreground" />
    </li>
  );
}
