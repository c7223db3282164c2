import { useSyncExternalStore } from "react";

// The same width at which Tailwind's `md:` begins.
const query = "(max-width: 767.98px)";

function watch(watcher: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener("change", watcher);
  return () => media.removeEventListener("change", watcher);
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(watch, () => window.matchMedia(query).matches);
}
