import { Columns2 } from "lucide-react";

import { cn } from "@/ui/cn";

import { ApprovalCard } from "../approval/ApprovalCard";
import { useT } from "../messages";
import type { Call, RunState } from "../run/state";
import { withInner } from "../run/view";
import { ToolCard } from "./ToolCard";

/** The calls of one turn. Several run at once, and stand side by side. */
export function CallGroup({ calls, state }: { calls: Call[]; state: RunState }) {
  const t = useT();
  const asked = calls.flatMap((call) => withInner(state, call)).filter(({ status }) => status === "pending");
  const cards = (
    <ul aria-label={t("calls", { count: calls.length })} className={cn("grid min-w-0 gap-2", calls.length > 1 && "2xl:grid-cols-2")}>
      {calls.map((call) => (
        <li key={call.id} className="min-w-0">
          <ToolCard call={call} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {calls.length > 1 ? (
        <div className="flex min-w-0 flex-col gap-2 rounded-lg border border-dashed p-2">
          <p className="flex items-center gap-1.5 text-xs text-muted-foreground">
            <Columns2 aria-hidden className="size-3.5" />
            {t("parallel", { count: calls.length })}
          </p>
          {cards}
        </div>
      ) : (
        cards
      )}
      {asked.map((call) => (
        <ApprovalCard key={call.id} call={call} />
      ))}
    </div>
  );
}
