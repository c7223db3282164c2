import { useSyncExternalStore } from "react";

/** One clock for all who look at it: a list of a thousand times needs no thousand timers. It stands still while nobody looks. */
export function clock(tickMs: number): () => number {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    if (timer === undefined) now = Date.now();
    timer ??= setInterval(() => {
      now = Date.now();
      watchers.forEach((one) => one());
    }, tickMs);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return function useClock() {
    return useSyncExternalStore(watch, () => now);
  };
}
