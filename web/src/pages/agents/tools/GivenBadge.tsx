import { Ban, Check, Layers, ListChecks, Minus, type LucideIcon } from "lucide-react";

import { Badge, type Tone } from "@/ui/badge";
import { Tooltip } from "@/ui/tooltip";

import { useT } from "../messages";
import { reachOf, type Reach, type ToolRow } from "./rows";

const LOOK: Record<Reach, { tone: Tone; icon: LucideIcon }> = {
  assigned: { tone: "good", icon: Check },
  named: { tone: "good", icon: ListChecks },
  category: { tone: "good", icon: Layers },
  listed: { tone: "good", icon: ListChecks },
  denied: { tone: "bad", icon: Ban },
  none: { tone: "outline", icon: Minus },
};

/** In which way the agent has the tool, or that it has not. */
export function GivenBadge({ row }: { row: ToolRow }) {
  const t = useT();
  const reach = reachOf(row);
  const { tone, icon: Icon } = LOOK[reach];
  return (
    <Tooltip text={t(`reach.${reach}.help`, { category: row.entry?.category ?? "" })}>
      <Badge tone={tone}>
        <Icon aria-hidden />
        <span className="truncate">{t(`reach.${reach}`, { category: row.entry?.category ?? "" })}</span>
      </Badge>
    </Tooltip>
  );
}
