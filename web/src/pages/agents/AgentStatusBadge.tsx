import { Archive, CircleCheck, CirclePause } from "lucide-react";

import type { Agent } from "@/api/queries";
import { LookBadge, type Look } from "@/parts/badges/LookBadge";

import { useT } from "./messages";

const LOOK: Record<Agent["status"], Look> = {
  active: { tone: "good", icon: CircleCheck },
  paused: { tone: "warn", icon: CirclePause },
  archived: { tone: "quiet", icon: Archive },
};

export function AgentStatusBadge({ value }: { value: Agent["status"] }) {
  const t = useT();
  return <LookBadge look={LOOK[value]} text={t(`status.${value}`)} />;
}
