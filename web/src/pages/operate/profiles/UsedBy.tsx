import { PathLink } from "@/app/PathLink";
import { Principal } from "@/parts/people/Principal";
import { Badge } from "@/ui/badge";

import { useT } from "./messages";
import type { Assignment } from "./queries";

/** The agents and tools that a change of the profile touches. */
export function UsedBy({ used }: { used: Assignment[] }) {
  const t = useT();
  return (
    <section aria-labelledby="used-title" className="grid gap-2 text-sm">
      <h3 id="used-title" className="font-medium">
        {t("used.title")}
      </h3>
      {used.length === 0 ? (
        <p className="text-muted-foreground">{t("used.text")}</p>
      ) : (
        <ul className="divide-y rounded-lg border">
          {used.map((assignment) => (
            <li key={assignment.id} className="flex flex-wrap items-center gap-x-2 px-3 py-2">
              <PathLink path={`/agents/${assignment.agent_id}`} className="text-link hover:underline">
                <Principal id={assignment.agent_id} />
              </PathLink>
              <span aria-hidden>·</span>
              <PathLink path={`/tools/${encodeURIComponent(assignment.tool)}`} className="font-mono text-xs break-all text-link hover:underline">
                {assignment.tool}
              </PathLink>
              {!assignment.allowed && <Badge tone="bad">{t("used.denied")}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
