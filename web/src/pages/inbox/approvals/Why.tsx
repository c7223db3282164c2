import type { Invocation, Tool } from "@/api/queries";
import { termsOf } from "@/parts/decision";
import { Principal } from "@/parts/people/Principal";

import { useT } from "../messages";
import { hostOf } from "./touches";

/** What the call would touch, why somebody is asked, and who agreed already. */
export function Why({ call, tool }: { call: Invocation; tool: Tool | undefined }) {
  const t = useT();
  const host = hostOf(tool?.execution);
  const { quorum, votes } = termsOf(call);
  const reasons = call.decision.evidence.filter(({ verdict }) => verdict === "ask");
  return (
    <ul className="flex list-disc flex-col gap-0.5 pl-5 text-sm text-muted-foreground">
      <li className={call.egress_class === "write" ? "text-foreground" : undefined}>
        {t(`touches.${call.egress_class}`)} {host !== undefined && <strong className="font-medium break-all">{host}</strong>}
      </li>
      {reasons.map(({ because }, index) => (
        <li key={index} className="break-words">
          {because}
        </li>
      ))}
      {quorum > 1 && (
        <li>
          {t("quorum", { votes: votes.length, quorum })} {votes.map((vote) => <Principal key={vote} id={vote} className="mr-1 font-medium" />)}
        </li>
      )}
    </ul>
  );
}
