import { Send, Trash2 } from "lucide-react";
import { useState } from "react";

import { notify } from "@/app/notify";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/ui/sheet";

import { Deliveries } from "./Deliveries";
import { useT } from "./messages";
import { useDeleteWebhook, useTestWebhook, type Webhook } from "./queries";
import { TestResult } from "./TestResult";

/** One webhook: try it, see what became of what was sent, take it away. */
export function WebhookDrawer({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useT();
  const test = useTestWebhook();
  const remove = useDeleteWebhook();
  const [isAsking, setIsAsking] = useState(false);
  const removed = () => {
    notify.done(t("deleted", { name: webhook.name }));
    onClose();
  };
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{webhook.name}</SheetTitle>
          <SheetDescription className="break-all">{webhook.url}</SheetDescription>
        </SheetHeader>
        <SheetBody className="grid content-start gap-5">
          <div className="flex flex-wrap gap-2">
            <Button busy={test.isPending} onClick={() => test.mutate(webhook.id)}>
              <Send aria-hidden />
              {t("test")}
            </Button>
            <Button variant="outline" className="text-bad" onClick={() => setIsAsking(true)}>
              <Trash2 aria-hidden />
              {t("delete")}
            </Button>
          </div>
          <TestResult result={test.data} error={test.error} />
          <Deliveries webhook={webhook.id} />
        </SheetBody>
        <Confirm open={isAsking} onOpenChange={setIsAsking} title={t("delete.title", { name: webhook.name })} action={t("delete")} busy={remove.isPending} onConfirm={() => remove.mutate(webhook.id, { onSuccess: removed })}>
          {t("delete.text")}
        </Confirm>
      </SheetContent>
    </Sheet>
  );
}
