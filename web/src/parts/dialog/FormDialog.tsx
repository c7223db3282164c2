import { useId, type FormEvent, type ReactNode } from "react";

import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { useT } from "@/ui/messages";

interface FormDialogProps {
  title: string;
  description: string;
  /** The word on the button that sends it. */
  action: string;
  busy: boolean;
  /** Why the server did not take it. */
  error: Error | null;
  onSubmit(form: FormData): void;
  onClose(): void;
  children: ReactNode;
}

/** A few fields to fill in, over the page. It stays open with what was typed when the server refuses, and says why. */
export function FormDialog({ title, description, action, busy, error, onSubmit, onClose, children }: FormDialogProps) {
  const t = useT();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>{description}</DialogDescription>
        <form className="grid gap-4" onSubmit={submit} aria-describedby={error ? id : undefined}>
          {children}
          <Refusal id={id} error={error} />
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline">{t("cancel")}</Button>
            </DialogClose>
            <Button type="submit" busy={busy}>
              {action}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** The trimmed text of a field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
