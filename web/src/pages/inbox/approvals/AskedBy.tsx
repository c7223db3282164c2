import { useQuery } from "@tanstack/react-query";

import type { Invocation } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { useMe } from "@/app/session";
import { agentQuery } from "@/parts/people/principal";
import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";

import { useT } from "../messages";

/** The agent, and the person or key it speaks for. */
export function AskedBy({ id, call }: { id: string; call: Invocation }) {
  const t = useT();
  const me = useMe();
  const agent = useQuery({ ...agentQuery(call.agent_id ?? ""), enabled: Boolean(call.agent_id) && me.may("agents.tenant.read") });
  const owner = agent.data?.owner;
  return (
    <p id={id} className="text-sm">
      {call.agent_id ? (
        <>
          <PathLink path={`/agents/${call.agent_id}`} className="font-medium text-link hover:underline">
            {agent.data?.display_name ?? t("agent")}
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
