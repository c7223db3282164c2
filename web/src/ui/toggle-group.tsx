import { ToggleGroup as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { cn } from "./cn";

/** A few choices of which one holds, such as the view of a list. */
export function ToggleGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn("inline-flex items-center rounded-md border p-0.5", className)} {...props} />;
}

export function ToggleGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        "inline-flex h-7 min-w-7 items-center justify-center gap-1.5 rounded-[4px] px-1.5 text-sm text-muted-foreground hover:text-foreground data-[state=on]:bg-accent data-[state=on]:text-foreground max-md:h-11 max-md:min-w-11 [&_svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}
