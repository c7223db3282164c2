import { Archive, CircleCheck, CirclePause, type LucideIcon } from "lucide-react";

import type { Agent } from "@/api/queries";
import { Badge, type Tone } from "@/ui/badge";

import { useT } from "./messages";

const LOOK: Record<Agent["status"], { tone: Tone; icon: LucideIcon }> = {
  active: { tone: "good", icon: CircleCheck },
  paused: { tone: "warn", icon: CirclePause },
  archived: { tone: "quiet", icon: Archive },
};

export function AgentStatusBadge({ value }: { value: Agent["status"] }) {
  const t = useT();
  const { tone, icon: Icon } = LOOK[value];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`status.${value}`)}
    </Badge>
  );
}
