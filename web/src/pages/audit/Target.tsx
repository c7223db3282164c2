import { Link } from "@tanstack/react-router";

import { useAgents } from "@/parts/who/agents";
import { Who } from "@/parts/who/Who";

/** What it was done to: by name where there is one, and a call leads to its drawer. */
export function Target({ target }: { target: string }) {
  const agent = useAgents().find(target);
  if (target.startsWith("inv_")) {
    return (
      <Link to="." search={(old) => ({ ...old, invocation: target })} className="block truncate font-mono text-xs text-link hover:underline" title={target}>
        {target}
      </Link>
    );
  }
  if (agent) return <span className="block truncate" title={target}>{agent.display_name}</span>;
  if (/^(usr|key|whk)_/.test(target)) return <Who principal={target} className="block" />;
  return (
    <span className="block truncate" title={target}>
      {target}
    </span>
  );
}
