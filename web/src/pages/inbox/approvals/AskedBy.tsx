import type { Invocation } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { useAgents } from "@/parts/people/agents";
import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";

import { useT } from "../messages";

/** The agent, and the person or key it speaks for. */
export function AskedBy({ id, call }: { id: string; call: Invocation }) {
  const t = useT();
  const agent = useAgents().find(call.agent_id);
  const owner = agent?.owner;
  return (
    <p id={id} className="text-sm">
      {call.agent_id ? (
        <>
          <PathLink path={`/agents/${call.agent_id}`} className="font-medium text-link hover:underline">
            {agent?.display_name ?? t("agent")}
          </PathLink>
          {owner && (
            <span className="text-muted-foreground">
              {" "}
              {t("agentOf")} <Principal id={owner} />
            </span>
          )}
        </>
      ) : (
        <Principal id={call.caller} className="font-medium" />
      )}
      {` ${t("asks")} · `}
      <RelativeTime at={call.created_at} className="text-muted-foreground" />
    </p>
  );
}
