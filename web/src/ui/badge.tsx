import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

import { cn } from "./cn";

const badgeVariants = cva(
  "inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        quiet: "bg-quiet-soft text-quiet",
        info: "bg-info-soft text-info",
        warn: "bg-warn-soft text-warn",
        good: "bg-good-soft text-good",
        bad: "bg-bad-soft text-bad",
        outline: "border text-muted-foreground",
      },
    },
    defaultVariants: { tone: "quiet" },
  },
);

export type Tone = NonNullable<VariantProps<typeof badgeVariants>["tone"]>;

/** Its text says what its colour says. The badges with a fixed meaning are in `parts/badges`. */
export function Badge({ className, tone, ...props }: ComponentProps<"span"> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ tone }), className)} {...props} />;
}
