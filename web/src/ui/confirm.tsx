import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";

import { Button, buttonVariants } from "./button";
import { useT } from "./messages";
import { useReturnFocus } from "./return-focus";

export interface ConfirmProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  action: string;
  onConfirm(): void;
  busy?: boolean;
  destructive?: boolean;
}

/** Asks before what cannot be undone. What can be undone is done at once, with Undo in the toast. */
export function Confirm({ open, onOpenChange, title, children, action, onConfirm, busy = false, destructive = true }: ConfirmProps) {
  const t = useT();
  const focus = useReturnFocus({});
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content {...focus} className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-lg border bg-popover p-5 text-popover-foreground shadow-lg">
          <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="text-sm text-muted-foreground">{children}</div>
          </AlertDialog.Description>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <AlertDialog.Cancel className={buttonVariants({ variant: "outline" })}>{t("cancel")}</AlertDialog.Cancel>
            <Button variant={destructive ? "destructive" : "default"} busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
