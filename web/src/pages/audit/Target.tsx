import { Link } from "@tanstack/react-router";

import { useAgents } from "@/parts/people/agents";
import { Principal } from "@/parts/people/Principal";

import { useT } from "./messages";

/** What it was done to: by name where there is one, and a call leads to its drawer. */
export function Target({ target }: { target: string }) {
  const t = useT();
  const agent = useAgents().find(target);
  if (target.startsWith("inv_")) {
    return (
      <Link to="." search={(old) => ({ ...old, invocation: target })} className="block truncate font-mono text-xs text-link hover:underline" title={target}>
        {target}
      </Link>
    );
  }
  if (target.startsWith("ten_")) return <span className="block truncate" title={target}>{t("target.tenant")}</span>;
  if (agent) return <span className="block truncate" title={target}>{agent.display_name}</span>;
  if (/^(usr|key|whk)_/.test(target)) return <Principal id={target} className="block truncate" />;
  return (
    <span className="block truncate" title={target}>
      {target}
    </span>
  );
}
