import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

export const TooltipProvider = Primitive.Provider;

/** Says more about a control that already has a name; nothing may be reachable only through it. */
export function Tooltip({ text, children, side }: { text: ReactNode; children: ReactNode; side?: "top" | "right" | "bottom" | "left" }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content side={side} sideOffset={4} collisionPadding={8} className="z-50 max-w-xs rounded-md bg-foreground px-2 py-1 text-xs text-background">
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
