import { Link } from "@tanstack/react-router";
import { ReceiptText, Square } from "lucide-react";
import { useState } from "react";

import { notify } from "@/app/notify";
import { useMayCancel } from "@/parts/cancelling/useMayCancel";
import { Button, buttonVariants } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";
import { useCancelRun } from "../queries";
import { isOver, type Run } from "../types";

/** The run's own receipt, and the end of a run that still goes on. */
export function RunActions({ run }: { run: Run }) {
  const t = useT();
  const mayCancel = useMayCancel(run);
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useCancelRun(run.id);
  const confirm = () =>
    cancel.mutate(undefined, {
      onSuccess: (after) => (after.status === "cancelled" ? notify.done(t("cancelled")) : notify.info(t("cancelled.late"))),
      onSettled: () => setIsAsking(false),
    });
  return (
    <>
      <Link to="." search={(search) => ({ ...search, invocation: run.invocation_id })} className={buttonVariants({ variant: "outline" })}>
        <ReceiptText aria-hidden />
        {t("receipt")}
      </Link>
      {!isOver(run) && mayCancel && (
        <Button variant="outline" onClick={() => setIsAsking(true)}>
          <Square aria-hidden />
          {t("cancel")}
        </Button>
      )}
      <Confirm open={isAsking} onOpenChange={setIsAsking} title={t("cancel.title")} action={t("cancel")} onConfirm={confirm} busy={cancel.isPending}>
        {t("cancel.text")}
      </Confirm>
    </>
  );
}
