import type { Invocation } from "@/api/queries";
import { VerdictBadge } from "@/parts/badges/badges";
import { termsOf } from "@/parts/decision";
import { Principal } from "@/parts/people/Principal";

import { useT } from "../messages";

/** What the guard decided before the call ran, which rules said what about which values, and what people said. */
export function DecisionTab({ call }: { call: Invocation }) {
  const t = useT();
  const { decision } = call;
  const { quorum, votes, allowSelf } = termsOf(call);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <VerdictBadge value={decision.verdict} />
        {t(`verdict.${decision.verdict}.text`)}
      </p>
      <section aria-label={t("evidence")} className="flex flex-col gap-2">
        <h3 className="text-sm font-medium">{t("evidence")}</h3>
        {decision.evidence.length === 0 && <p className="text-sm text-muted-foreground">{t("evidence.none")}</p>}
        <ol className="flex flex-col divide-y rounded-lg border empty:hidden">
          {decision.evidence.map((evidence, index) => (
            <li key={index} className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2 text-sm">
              <VerdictBadge value={evidence.verdict} />
              <span className="min-w-0 flex-1 basis-60">
                <span className="block break-words">{evidence.because}</span>
                <code className="font-mono text-xs break-all text-muted-foreground">{evidence.rule}</code>
              </span>
            </li>
          ))}
        </ol>
      </section>
      {decision.policy_version && (
        <p className="text-sm text-muted-foreground">
          {t("policyVersion")} <code className="font-mono text-xs break-all">{decision.policy_version}</code>
        </p>
      )}
      {call.approval_required && (
        <section aria-label={t("people")} className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">{t("people")}</h3>
          <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
            <li>{t("people.quorum", { count: quorum })}</li>
            <li>{t(allowSelf ? "people.self" : "people.other")}</li>
            {votes.map((vote) => (
              <li key={vote}>
                <Principal id={vote} /> {t("people.vote")}
              </li>
            ))}
            {call.approval_decided_by && (
              <li>
                <Principal id={call.approval_decided_by} className="font-medium" /> {t(call.approval_status === "rejected" ? "people.rejected" : "people.approved")}
              </li>
            )}
          </ul>
          {call.approval_reason && <blockquote className="border-l-2 pl-3 text-sm break-words whitespace-pre-wrap">{call.approval_reason}</blockquote>}
        </section>
      )}
    </div>
  );
}
