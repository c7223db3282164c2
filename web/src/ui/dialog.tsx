import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { Button } from "./button";
import { cn } from "./cn";
import { useT } from "./messages";
import { useReturnFocus } from "./return-focus";

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;
export const DialogClose = Primitive.Close;

export function Overlay() {
  return <Primitive.Overlay className="fixed inset-0 z-40 bg-black/40 data-[state=open]:animate-[fade-in_120ms]" />;
}

export function CloseButton() {
  const t = useT();
  return (
    <Primitive.Close asChild>
      <Button variant="ghost" size="icon" className="absolute top-2 right-2" aria-label={t("close")}>
        <X aria-hidden />
      </Button>
    </Primitive.Close>
  );
}

type OutsideEvent = Parameters<NonNullable<ComponentProps<typeof Primitive.Content>["onInteractOutside"]>>[0];

/** A toast lies over everything: whoever clicks its Undo does not mean to close what is open below it. */
export function keepOpenForToasts(event: OutsideEvent): void {
  const { target } = event.detail.originalEvent;
  if (target instanceof Element && target.closest("[data-sonner-toaster]")) event.preventDefault();
}

/** Give it a `DialogTitle` always; without a `DialogDescription` say `aria-describedby={undefined}`. */
export function DialogContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  const focus = useReturnFocus(props);
  return (
    <Primitive.Portal>
      <Overlay />
      <Primitive.Content
        className={cn(
          "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-lg border bg-popover p-5 text-popover-foreground shadow-lg outline-none data-[state=open]:animate-[fade-in_120ms]",
          className,
        )}
        onInteractOutside={keepOpenForToasts}
        {...props}
        {...focus}
      >
        {children}
        <CloseButton />
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn("pr-8 text-base font-semibold", className)} {...props} />;
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return <Primitive.Description className={cn("text-sm text-muted-foreground", className)} {...props} />;
}

export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)} {...props} />;
}
