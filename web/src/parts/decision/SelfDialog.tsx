import { Check } from "lucide-react";

import { explain } from "@/app/notify";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";

import { useDecide } from "./decide";
import type { DecisionDialogProps } from "./DecisionDialog";
import { useT } from "./messages";

/** The second act of a person who is alone. The server refuses it as soon as somebody else may decide. */
export function SelfDialog({ invocation, onClose, onDone }: DecisionDialogProps) {
  const t = useT();
  const decide = useDecide(onDone, true);
  const approve = () => decide.mutate({ invocation, ruling: { kind: "approve", confirmSelf: true } }, { onSuccess: onClose });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle>{t("self.title", { tool: invocation.tool_name })}</DialogTitle>
        <DialogDescription>{t("self.text")}</DialogDescription>
        {decide.error && (
          <p role="alert" className="rounded-lg border border-bad p-3 text-sm break-words text-bad">
            {explain(decide.error).detail || explain(decide.error).title}
          </p>
        )}
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            {t("back")}
          </Button>
          <Button busy={decide.isPending} onClick={approve}>
            {!decide.isPending && <Check aria-hidden />}
            {t("self.do")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
