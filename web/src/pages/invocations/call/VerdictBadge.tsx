import { Ban, CircleCheck, Hand } from "lucide-react";

import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";

const LOOKS = {
  allow: { tone: "good", icon: CircleCheck },
  ask: { tone: "warn", icon: Hand },
  deny: { tone: "bad", icon: Ban },
} as const;

export function VerdictBadge({ value }: { value: Schemas["Verdict"] }) {
  const t = useT();
  const { tone, icon: Icon } = LOOKS[value];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`verdict.${value}`)}
    </Badge>
  );
}
