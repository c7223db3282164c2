import { useT, hasMessage } from "../messages";
import type { Explanation } from "../queries";
import { OutcomeBadge, type Verdict } from "./verdict";

const STRICT: Record<Verdict, number> = { deny: 0, ask: 1, allow: 2 };

/** Every rule that had something to say, the strictest first: it wins. */
export function Evidence({ explanation: { decision, warnings } }: { explanation: Explanation }) {
  const t = useT();
  const rules = [...decision.evidence].sort((a, b) => STRICT[a.verdict] - STRICT[b.verdict]);
  const quorum = decision.approval?.quorum ?? 1;
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{t("evidence")}</h3>
      <p className="text-sm text-muted-foreground">{t("evidence.text")}</p>
      <ul className="divide-y rounded-lg border" aria-label={t("evidence")}>
        {rules.map((one, index) => (
          <li key={index} className="grid gap-1 px-3 py-2 text-sm">
            <span className="flex flex-wrap items-center gap-2">
              <OutcomeBadge value={one.verdict} />
              <Rule rule={one.rule} />
            </span>
            <span className="break-words">{one.because}</span>
          </li>
        ))}
      </ul>
      {decision.verdict === "ask" && <p className="text-sm">{t("quorum", { count: quorum })}</p>}
      {warnings.map((warning) => (
        <p key={warning} className="text-sm text-warn">
          {warning}
        </p>
      ))}
      {decision.policy_version && (
        <p className="text-xs text-muted-foreground">
          {t("policyVersion")} <code className="font-mono break-all">{decision.policy_version}</code>
        </p>
      )}
    </section>
  );
}

function Rule({ rule }: { rule: string }) {
  const t = useT();
  const [family = rule] = rule.split(/[.:]/);
  const key = `rule.${family}`;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {hasMessage(key) && <span className="font-medium">{t(key as "rule.scope")}</span>}
      <code className="font-mono text-xs text-muted-foreground">{rule}</code>
    </span>
  );
}
