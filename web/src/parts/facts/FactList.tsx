import type { ReactNode } from "react";

import { cn } from "@/ui/cn";

/** What is so, name by name. */
export function FactList({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cn("grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm", className)}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
