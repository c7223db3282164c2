import { useQuery } from "@tanstack/react-query";

import { agentQuery, runQuery } from "@/api/queries";
import { useMe } from "@/app/session";

/** Whose a call or a run is. */
interface Made {
  caller: string;
  agent_id?: string | null;
  /** The run that a call belongs to. */
  run_id?: string | null;
}

/**
 * Whether the server lets this person cancel it: their own, what their agent made, what a run of theirs made, and anything with the
 * permission for it. Few calls need the second look, so nothing is asked about the others.
 */
export function useMayCancel({ caller, agent_id, run_id }: Made): boolean {
  const me = useMe();
  const mayCall = me.may("tools.tenant.execute");
  const isKnown = caller === me.principal || me.may("invocations.tenant.cancel");
  const enabled = mayCall && !isKnown;
  const agent = useQuery({ ...agentQuery(agent_id ?? ""), enabled: enabled && agent_id != null, retry: false });
  const run = useQuery({ ...runQuery(run_id ?? ""), enabled: enabled && run_id != null, retry: false });
  return mayCall && (isKnown || agent.data?.owner === me.principal || run.data?.caller === me.principal);
}
