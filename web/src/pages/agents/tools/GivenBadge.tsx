import { Ban, Check, Layers, ListChecks, Minus } from "lucide-react";

import { LookBadge, type Look } from "@/parts/badges/LookBadge";

import { useT } from "../messages";
import { reachOf, type Reach, type ToolRow } from "./rows";

const LOOK: Record<Reach, Look> = {
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
  const category = row.entry?.category ?? "";
  return <LookBadge look={LOOK[reach]} text={t(`reach.${reach}`, { category })} help={t(`reach.${reach}.help`, { category })} />;
}
