import type { ReactNode } from "react";

import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";

import { CopyButton } from "../copy/CopyButton";
import { useT } from "../messages";

interface ShownOnceProps {
  title: string;
  /** What it is for, and that it is not shown again. */
  description: string;
  /** What to copy: a key, a password, a command with one of them in it. */
  secrets: { label: string; value: string }[];
  onClose(): void;
  children?: ReactNode;
}

/** Something that the server tells this one time. Only the button closes it: a click beside it would lose the secret. */
export function ShownOnce({ title, description, secrets, onClose, children }: ShownOnceProps) {
  const t = useT();
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent onInteractOutside={(event) => event.preventDefault()} onEscapeKeyDown={(event) => event.preventDefault()}>
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>{description}</DialogDescription>
        {secrets.map(({ label, value }) => (
          <div key={label} className="grid gap-1">
            <span className="text-xs text-muted-foreground">{label}</span>
            <div className="flex items-start gap-2 rounded-md border bg-muted p-1 pl-3">
              <code className="min-w-0 flex-1 py-1.5 font-mono text-xs break-all whitespace-pre-wrap">{value}</code>
              <CopyButton text={value} label={t("copyThis", { what: label })} />
            </div>
          </div>
        ))}
        {children}
        <DialogFooter>
          <Button onClick={onClose}>{t("shownOnce.done")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
