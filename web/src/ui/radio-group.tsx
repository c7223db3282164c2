import { RadioGroup as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { cn } from "./cn";

export function RadioGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn("grid gap-2", className)} {...props} />;
}

export function RadioGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn("grid size-4 shrink-0 place-items-center rounded-full border border-input bg-background disabled:opacity-50 data-[state=checked]:border-primary", className)}
      {...props}
    >
      <Primitive.Indicator className="size-2 rounded-full bg-primary" />
    </Primitive.Item>
  );
}
