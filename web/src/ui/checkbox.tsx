import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { cn } from "./cn";

export function Checkbox({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "grid size-4 shrink-0 place-items-center rounded-sm border border-input bg-background disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=checked]:text-primary-foreground data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary data-[state=indeterminate]:text-primary-foreground",
        className,
      )}
      {...props}
    >
      <Primitive.Indicator>
        {props.checked === "indeterminate" ? <Minus aria-hidden className="size-3" /> : <Check aria-hidden className="size-3" />}
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
