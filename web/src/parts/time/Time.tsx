import { useLanguage } from "@/app/i18n";

import { useT } from "../messages";
import { clock } from "./clock";
import { absoluteTime, duration, relativeTime } from "./format";

const TICK_MS = 15_000;

/** The present, good to a quarter of a minute. */
export const useNow = clock(TICK_MS);

/** “5 min ago”, with the exact time for those who point at it. */
export function RelativeTime({ at, className }: { at: string | null | undefined; className?: string }) {
  const t = useT();
  const language = useLanguage();
  const present = useNow();
  if (!at) return <span className={className}>{t("time.never")}</span>;
  const date = new Date(at);
  // What just happened is never in the future, whatever the clocks say.
  const reference = new Date(Math.max(present, Math.abs(date.getTime() - present) < TICK_MS ? date.getTime() : present));
  return (
    <time dateTime={at} title={absoluteTime(date, language)} className={className}>
      {relativeTime(date, reference, language)}
    </time>
  );
}

export function AbsoluteTime({ at, className }: { at: string; className?: string }) {
  const language = useLanguage();
  return (
    <time dateTime={at} className={className}>
      {absoluteTime(new Date(at), language)}
    </time>
  );
}

export function Duration({ ms, className }: { ms: number; className?: string }) {
  const language = useLanguage();
  return <span className={className}>{duration(ms, language)}</span>;
}
