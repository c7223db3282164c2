import { cn } from "./cn";

/** A place where something will be. The state that is announced is `Loading` in `parts/states`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("animate-pulse rounded-md bg-muted", className)} />;
}
