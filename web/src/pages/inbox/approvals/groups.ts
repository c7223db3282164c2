// Calls that ask exactly the same can be answered at once: the same version of the same tool, the same arguments, the same asker.
import type { Invocation } from "@/api/queries";
import { canonical } from "@/parts/diff/canonical";

export interface Group {
  key: string;
  /** The newest first, as the list is. */
  calls: [Invocation, ...Invocation[]];
}

export function groupsOf(calls: readonly Invocation[], apart: ReadonlySet<string>): Group[] {
  const groups = new Map<string, Group>();
  for (const call of calls) {
    const same = sameness(call);
    // A group that somebody wants to go through one by one is not a group any more.
    const key = apart.has(same) ? call.id : same;
    const known = groups.get(key);
    if (known) known.calls.push(call);
    else groups.set(key, { key, calls: [call] });
  }
  return [...groups.values()];
}

export function sameness({ tool_key, caller, agent_id, input }: Invocation): string {
  return [tool_key, caller, agent_id ?? "", canonical(input)].join("\n");
}
