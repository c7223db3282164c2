import { Ban, CircleCheck, Hand, type LucideIcon } from "lucide-react";

import { Badge, type Tone } from "@/ui/badge";

import type { Verdict } from "./document";
import { useT } from "./messages";

const LOOK: Record<Verdict, [Tone, LucideIcon]> = {
  allow: ["good", CircleCheck],
  ask: ["warn", Hand],
  deny: ["bad", Ban],
};

export function VerdictBadge({ value }: { value: Verdict }) {
  const t = useT();
  const [tone, Icon] = LOOK[value];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`verdict.${value}`)}
    </Badge>
  );
}
