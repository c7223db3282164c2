import { useState } from "react";

import { explain } from "@/app/notify";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import type { Task } from "../queries";
import { useCancelTask } from "./mutations";
import { Over, useOver } from "./Over";

export function CancelTaskDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const t = useT();
  const [reason, setReason] = useState("");
  const cancel = useCancelTask(task, onClose);
  const over = useOver(task, cancel.isPending);
  const said = cancel.error && !over ? `${explain(cancel.error).title}. ${explain(cancel.error).detail}` : undefined;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle>{t("task.cancel.title", { title: task.title })}</DialogTitle>
        <DialogDescription>{t(task.waits ? "task.cancel.waits" : "task.cancel.text")}</DialogDescription>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            cancel.mutate(reason.trim());
          }}
        >
          <Field id="task-reason" label={t("task.reason")} help={t("task.reason.help")} error={said}>
            <Textarea id="task-reason" maxLength={1_000} aria-describedby="task-reason-help" value={reason} onChange={(event) => setReason(event.target.value)} />
          </Field>
          {over && <Over task={over} />}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("back")}
            </Button>
            <Button type="submit" variant="destructive" busy={cancel.isPending} disabled={over !== undefined}>
              {t("task.cancel")}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
