import { Bot, Hourglass, MessageSquareQuote, Shield, SquareFunction, Wrench, CircleDot, type LucideIcon } from "lucide-react";

import type { SpanRole } from "./tree";

interface Look {
  icon: LucideIcon;
  /** The bar; the icon and the name say the same. */
  bar: string;
}

export const LOOKS: Record<SpanRole, Look> = {
  run: { icon: Bot, bar: "bg-chart-1" },
  model: { icon: MessageSquareQuote, bar: "bg-chart-2" },
  call: { icon: Wrench, bar: "bg-chart-4" },
  tool: { icon: SquareFunction, bar: "bg-chart-4/60" },
  guard: { icon: Shield, bar: "bg-quiet" },
  approval: { icon: Hourglass, bar: "bg-chart-3" },
  other: { icon: CircleDot, bar: "bg-quiet" },
};
