import { Timer } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { cn } from "@/ui/cn";

import { clock } from "../time/clock";
import { absoluteTime, duration } from "../time/format";
import { useT } from "./messages";

const SOON_MS = 10 * 60_000;
/** Whoever counts down looks at each second. */
const useSecond = clock(1_000);

/** How long is left; the exact moment for those who point at it. */
export function Countdown({ at, words = "left", className }: { at: string; words?: "left" | "due"; className?: string }) {
  const t = useT();
  const language = useLanguage();
  const present = useSecond();
  const leftMs = Date.parse(at) - present;
  const isOver = leftMs <= 0;
  const time = duration(Math.max(0, Math.floor(leftMs / 1_000)) * 1_000, language);
  return (
    <time dateTime={at} title={absoluteTime(new Date(at), language)} className={cn("inline-flex items-center gap-1 tabular-nums", leftMs < SOON_MS ? "font-medium text-warn" : "text-muted-foreground", className)}>
      <Timer aria-hidden className="size-3.5 shrink-0" />
      {isOver ? t(`${words}.over`) : t(words, { time })}
    </time>
  );
}

/** Until when a waiting call waits: after that it counts as rejected. */
export function Expiry({ at, className }: { at: string | null | undefined; className?: string }) {
  return at ? <Countdown at={at} className={className} /> : null;
}
