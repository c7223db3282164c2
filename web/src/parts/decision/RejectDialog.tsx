import { useState, type FormEvent } from "react";

import { Problem } from "@/api/problem";
import type { Invocation } from "@/api/queries";
import { explain } from "@/app/notify";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import type { Outcome } from "./decide";
import { useT } from "./messages";
import { useDecideAll } from "./decideAll";

interface Props {
  /** One call, or several that ask exactly the same. */
  calls: Invocation[];
  onClose(): void;
  onDone?: (outcome: Outcome) => void;
}

/** A no comes with a reason: whoever asked reads it, and an agent learns from it. */
export function RejectDialog({ calls, onClose, onDone }: Props) {
  const t = useT();
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [refused, setRefused] = useState<Problem>();
  const decide = useDecideAll(onDone);
  const isMissing = reason.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isMissing) return;
    decide.mutate(
      { calls, ruling: { kind: "reject", reason: reason.trim() } },
      { onSuccess: onClose, onError: (thrown) => setRefused(thrown instanceof Problem ? thrown : undefined) },
    );
  };
  const said = isTried && isMissing ? t("reason.missing") : refused && [explain(refused).title, explain(refused).detail].join(". ");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle>{t("reject.title", { tool: calls[0]?.tool_name ?? "", count: calls.length })}</DialogTitle>
        <DialogDescription>{t("reject.text")}</DialogDescription>
        <form onSubmit={submit} className="flex flex-col gap-4">
          <Field id="reject-reason" label={t("reason")} help={t("reason.help")} error={said}>
            <Textarea
              id="reject-reason"
              aria-required
              maxLength={2_000}
              aria-invalid={said !== undefined}
              aria-describedby={`reject-reason-help${said === undefined ? "" : " reject-reason-error"}`}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.currentTarget.form?.requestSubmit()}
            />
          </Field>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("back")}
            </Button>
            <Button type="submit" variant="destructive" busy={decide.isPending}>
              {t("reject.do", { count: calls.length })}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
