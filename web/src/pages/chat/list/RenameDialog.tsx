import { useState } from "react";

import { Button } from "@/ui/button";
import { Dialog, DialogClose, DialogContent, DialogFooter, DialogTitle } from "@/ui/dialog";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import type { Thread } from "../queries";
import { useThreadActions } from "./useThreadActions";

const MAX_TITLE_CHARS = 200;

export function RenameDialog({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  const t = useT();
  const { rename, isBusy } = useThreadActions();
  const [title, setTitle] = useState(thread.title ?? "");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent aria-describedby={undefined}>
        <DialogTitle>{t("rename.title")}</DialogTitle>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            // A refusal becomes a toast, and the dialog stays.
            rename(thread, title.trim()).then(onClose, () => undefined);
          }}
        >
          <Field id="thread-title" label={t("rename.label")} help={t("rename.help")}>
            <Input id="thread-title" aria-describedby="thread-title-help" value={title} maxLength={MAX_TITLE_CHARS} autoFocus onChange={(event) => setTitle(event.target.value)} />
          </Field>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline">{t("cancel")}</Button>
            </DialogClose>
            <Button type="submit" busy={isBusy}>
              {t("rename.save")}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
