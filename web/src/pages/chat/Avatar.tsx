import { cn } from "@/ui/cn";

/** The first letters of a name. It says nothing that the name beside it does not. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const letters = name
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("");
  return (
    <span aria-hidden className={cn("grid size-8 shrink-0 place-items-center rounded-full bg-info-soft text-xs font-semibold text-info uppercase select-none", className)}>
      {letters}
    </span>
  );
}
