import { cva, type VariantProps } from "class-variance-authority";
import { Dialog as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { cn } from "./cn";
import { CloseButton, keepOpenForToasts, Overlay } from "./dialog";
import { useReturnFocus } from "./return-focus";

export { Dialog as Sheet, DialogClose as SheetClose, DialogDescription as SheetDescription, DialogTitle as SheetTitle, DialogTrigger as SheetTrigger } from "./dialog";

const sides = cva("fixed z-50 flex flex-col overflow-y-auto border-border bg-popover text-popover-foreground shadow-lg outline-none", {
  variants: {
    side: {
      right: "inset-y-0 right-0 w-full max-w-2xl border-l data-[state=open]:animate-[from-right_160ms_ease-out]",
      left: "inset-y-0 left-0 w-72 max-w-[85vw] border-r data-[state=open]:animate-[from-left_160ms_ease-out]",
      bottom: "inset-x-0 bottom-0 max-h-[85dvh] rounded-t-lg border-t pb-[env(safe-area-inset-bottom)] data-[state=open]:animate-[from-bottom_160ms_ease-out]",
    },
  },
  defaultVariants: { side: "right" },
});

/** A drawer at an edge: a dialog like any other, so it needs a `SheetTitle`. */
export function SheetContent({ className, side, children, ...props }: ComponentProps<typeof Primitive.Content> & VariantProps<typeof sides>) {
  const focus = useReturnFocus(props);
  return (
    <Primitive.Portal>
      <Overlay />
      <Primitive.Content className={cn(sides({ side }), className)} onInteractOutside={keepOpenForToasts} {...props} {...focus}>
        {children}
        <CloseButton />
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function SheetHeader({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-col gap-1 border-b p-4 pr-14", className)} {...props} />;
}

export function SheetBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex-1 overflow-y-auto p-4", className)} {...props} />;
}

export function SheetFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap gap-2 border-t p-4", className)} {...props} />;
}
