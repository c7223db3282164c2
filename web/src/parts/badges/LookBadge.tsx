import type { LucideIcon } from "lucide-react";

import { Badge, type Tone } from "@/ui/badge";
import { Tooltip } from "@/ui/tooltip";

export interface Look {
  tone: Tone;
  icon: LucideIcon;
}

/** Colour, icon and word together, so that none of them is needed to understand it. */
export function LookBadge({ look: { tone, icon: Icon }, text, help }: { look: Look; text: string; help?: string }) {
  const badge = (
    <Badge tone={tone}>
      <Icon aria-hidden />
      <span className="truncate">{text}</span>
    </Badge>
  );
  return help === undefined ? badge : <Tooltip text={help}>{badge}</Tooltip>;
}
