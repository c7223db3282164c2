import { useSyncExternalStore } from "react";

import { useLanguage } from "@/app/i18n";

import { useT } from "../messages";
import { absoluteTime, duration, relativeTime } from "./format";

// One clock for all: a list of a thousand times needs no thousand timers.
const TICK_MS = 15_000;
let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  // The clock stood still while nobody looked.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    watchers.forEach((one) => one());
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present, good to a quarter of a minute. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

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
