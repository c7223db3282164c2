import type { Schemas } from "@/api/client";
import { VerdictBadge } from "@/parts/badges/badges";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "./messages";

const TITLES = { allow: "explain.allow", ask: "explain.ask.verdict", deny: "explain.deny" } as const;

/** The verdict, and every rule that had something to say. */
export function Explanation({ answer }: { answer: Schemas["ExplainResponse"] }) {
  const t = useT();
  const { decision, error, warnings } = answer;
  const title = !answer.tool ? t("explain.unknown") : error && decision.verdict !== "deny" ? t("explain.cannot") : t(TITLES[decision.verdict]);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <VerdictBadge value={decision.verdict} />
        {answer.tool && <code className="ml-auto font-mono text-xs text-muted-foreground">{answer.tool}</code>}
      </CardHeader>
      <CardContent className="grid gap-3 text-sm">
        {error && (
          <p className="break-words text-bad">
            <code className="font-mono text-xs">{error.code}</code> {error.message}
          </p>
        )}
        {decision.approval && <p>{t("explain.quorum", { count: decision.approval.quorum ?? 1 })}</p>}
        {warnings.map((warning) => (
          <p key={warning} className="text-warn">
            {warning}
          </p>
        ))}
        <h3 className="text-xs font-medium text-muted-foreground">{t("explain.evidence")}</h3>
        {decision.evidence.length === 0 ? (
          <p>{t("explain.none")}</p>
        ) : (
          <ul className="grid gap-2">
            {decision.evidence.map(({ rule, verdict, because }, index) => (
              <li key={index} className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-2">
                <VerdictBadge value={verdict} />
                <span className="min-w-0">
                  <code className="font-mono text-xs break-all">{rule}</code>
                  <span className="block text-muted-foreground">{because}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}
