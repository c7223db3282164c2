import { Switch as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { cn } from "./cn";

export function Switch({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-input bg-muted p-px transition-colors disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="block size-4 rounded-full bg-input transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-primary-foreground" />
    </Primitive.Root>
  );
}
