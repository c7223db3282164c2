import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useId, useState, type FormEvent } from "react";

import { api, data } from "@/api/client";
import { notify } from "@/app/notify";
import { Failed } from "@/parts/states/states";
import { useAgents } from "@/parts/people/agents";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { Textarea } from "@/ui/input";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { pathOf } from "./columns";

interface StartRunProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** The agent that the list is about already. */
  agent?: string;
}

/** Gives an agent a message, and leads to the run as soon as it has begun. */
export function StartRun({ open, onOpenChange, agent }: StartRunProps) {
  const t = useT();
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>{t("start")}</DialogTitle>
        <DialogDescription>{t("start.help")}</DialogDescription>
        <StartForm agent={agent} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function StartForm({ agent, onDone }: { agent: string | undefined; onDone(): void }) {
  const t = useT();
  const id = useId();
  const router = useRouter();
  const agents = useAgents().list.filter(({ status }) => status === "active");
  const [handle, setHandle] = useState(agent ?? "");
  const [message, setMessage] = useState("");
  // The list may be about an agent that does not run any more.
  const chosen = (agents.find((one) => one.handle === handle) ?? agents[0])?.handle ?? "";
  const start = useMutation({
    mutationFn: () => data(api.POST("/api/runs", { body: { agent: chosen, message, wait: false } })),
    onSuccess(run) {
      notify.done(t("started"));
      onDone();
      router.history.push(pathOf(run));
    },
    meta: { quiet: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field id={`${id}-agent`} label={t("agent")} help={agents.length === 0 ? t("start.noAgents") : undefined}>
        <NativeSelect id={`${id}-agent`} value={chosen} onChange={(event) => setHandle(event.target.value)}>
          {agents.map(({ handle: one, display_name }) => (
            <option key={one} value={one}>
              {display_name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field id={`${id}-message`} label={t("message")}>
        <Textarea id={`${id}-message`} autoFocus required rows={5} value={message} onChange={(event) => setMessage(event.target.value)} />
      </Field>
      {start.error && <Failed error={start.error} />}
      <DialogFooter>
        <Button type="submit" busy={start.isPending} disabled={chosen === "" || message.trim() === ""}>
          {t("start.do")}
        </Button>
      </DialogFooter>
    </form>
  );
}
