import { CircleX, Flag, MessageSquareQuote, Play } from "lucide-react";

import { cn } from "@/ui/cn";

import { useT } from "../messages";
import type { Moment } from "./moments";
import { useMomentDetail, useMomentName } from "./names";

interface MomentListProps {
  moments: Moment[];
  at: number;
  onGo(index: number): void;
}

/** All moments at a glance; on a phone the player alone is enough. */
export function MomentList({ moments, at, onGo }: MomentListProps) {
  const t = useT();
  const name = useMomentName();
  const detail = useMomentDetail();
  return (
    <nav aria-label={t("moments")} className="max-h-96 overflow-y-auto rounded-lg border max-lg:hidden">
      <ol className="divide-y">
        {moments.map((moment, index) => {
          const Icon = moment.kind === "begin" ? Play : moment.kind === "end" ? Flag : hasFailed(moment) ? CircleX : MessageSquareQuote;
          return (
            <li key={index}>
              <button type="button" aria-current={index === at ? "step" : undefined} onClick={() => onGo(index)} className={cn("flex w-full items-start gap-2 px-3 py-2 text-left text-sm hover:bg-accent/60 focus-visible:-outline-offset-2", index === at && "bg-accent font-medium")}>
                <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", hasFailed(moment) ? "text-bad" : "text-muted-foreground")} />
                <span className="min-w-0">
                  <span className="block">{name(moment)}</span>
                  <span className="block truncate text-xs font-normal text-muted-foreground">{detail(moment)}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function hasFailed(moment: Moment): boolean {
  if (moment.kind === "end") return moment.run.status !== "completed";
  return moment.kind === "turn" && moment.asked.some(({ call }) => call?.error !== undefined && call.error !== null);
}
