import { useRouter } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";

import type { Agent } from "@/api/queries";
import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { Input, Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import { useStartRun } from "../mutations";

/** Gives the agent a message, and goes to where its run can be watched. */
export function RunDialog({ agent, isOpen, onClose }: { agent: Agent; isOpen: boolean; onClose(): void }) {
  const t = useT();
  const router = useRouter();
  const start = useStartRun(agent);
  const [message, setMessage] = useState("");
  const [minutes, setMinutes] = useState("");
  const deadline = Math.round(Number(minutes) * 60);
  const isSendable = message.trim() !== "" && (minutes.trim() === "" || deadline > 0);
  const close = () => {
    start.reset();
    onClose();
  };
  const submit = () => {
    if (!isSendable || start.isPending) return;
    start.mutate(
      { message, ...(minutes.trim() === "" ? {} : { deadline_s: deadline }) },
      {
        onSuccess(run) {
          close();
          setMessage("");
          notify.done(t("run.started", { name: agent.display_name }));
          router.history.push(`/runs/${encodeURIComponent(run.id)}`);
        },
      },
    );
  };
  return (
    <Dialog open={isOpen} onOpenChange={(next) => !next && close()}>
      <DialogContent>
        <DialogTitle>{t("run.title", { name: agent.display_name })}</DialogTitle>
        <DialogDescription>{t("run.text")}</DialogDescription>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field id="run-message" label={t("run.message")} help={t("run.keys")}>
            <Textarea
              id="run-message"
              autoFocus
              required
              rows={5}
              value={message}
              aria-describedby="run-message-help"
              onChange={(event) => setMessage(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
                event.preventDefault();
                submit();
              }}
            />
          </Field>
          <Field id="run-deadline" label={t("run.deadline")} help={t("run.deadline.help")}>
            <Input id="run-deadline" inputMode="decimal" value={minutes} aria-describedby="run-deadline-help" onChange={(event) => setMinutes(event.target.value)} className="max-w-32" />
          </Field>
          <Refusal error={start.error} />
          <DialogFooter>
            <Button type="submit" disabled={!isSendable} busy={start.isPending}>
              {!start.isPending && <Play aria-hidden />}
              {t("run")}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
