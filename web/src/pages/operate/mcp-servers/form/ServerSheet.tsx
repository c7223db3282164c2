import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Field } from "@/ui/label";
import { Input } from "@/ui/input";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetFooter, SheetHeader, SheetTitle } from "@/ui/sheet";

import { Option } from "../../shared/Option";
import { useAddServer, useChangeServer, useRefresh } from "../actions";
import { useT } from "../messages";
import type { McpServer } from "../queries";
import { ConnectionFields } from "./ConnectionFields";
import { draftOf, EMPTY, isElsewhere, toParams, toPatch, type ServerDraft } from "./draft";
import { OauthFields } from "./OauthFields";
import { TermsFields } from "./TermsFields";

interface ServerSheetProps {
  /** Absent: a new one. */
  server?: McpServer;
  open: boolean;
  onOpenChange(open: boolean): void;
  onDone(name: string): void;
}

export function ServerSheet({ open, onOpenChange, ...props }: ServerSheetProps) {
  const t = useT();
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{props.server ? `${t("change")}: ${props.server.name}` : t("add")}</SheetTitle>
          <SheetDescription>{t("add.lead")}</SheetDescription>
        </SheetHeader>
        <ServerForm {...props} onCancel={() => onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  );
}

function ServerForm({ server, onDone, onCancel }: Pick<ServerSheetProps, "server" | "onDone"> & { onCancel(): void }) {
  const t = useT();
  const [draft, setDraft] = useState<ServerDraft>(() => (server ? draftOf(server) : EMPTY));
  const add = useAddServer();
  const change = useChangeServer(server?.name ?? "", true);
  const refresh = useRefresh(server?.name ?? "");
  const set = (part: Partial<ServerDraft>) => setDraft((old) => ({ ...old, ...part }));
  const save = async () => {
    if (server) {
      const changed = await change.mutateAsync(toPatch(draft));
      notify.done(t("changed", { name: server.name }));
      // Whether it is there, and what it offers there, is asked at once.
      if (changed.enabled !== false && isElsewhere(server, changed)) refresh.mutate();
      return onDone(server.name);
    }
    const { server: made, error } = await add.mutateAsync({ body: toParams(draft), review: draft.review });
    const { name } = made;
    if (error) notify.info(t("refreshed.failed", { name }), { detail: error.message });
    else {
      const callable = Object.values(made.imports ?? {}).filter(({ state }) => state === "accepted").length;
      notify.done(t("added", { name }), { detail: draft.review ? t("added.review") : t("added.tools", { count: callable }) });
    }
    onDone(name);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The refusal is shown above the fields.
    save().catch(() => undefined);
  };
  return (
    <form className="flex min-h-0 flex-1 flex-col" onSubmit={submit}>
      <SheetBody className="grid content-start gap-5">
        <Refusal error={add.error ?? change.error} />
        <Field id="server-name" label={t("form.name")} help={server ? t("form.name.fixed") : t("form.name.help")}>
          <Input id="server-name" required value={draft.name} disabled={server !== undefined} onChange={(event) => set({ name: event.target.value })} aria-describedby="server-name-help" pattern="[a-z][a-z0-9_\-]{0,31}" autoComplete="off" spellCheck={false} />
        </Field>
        <ConnectionFields draft={draft} set={set} />
        {draft.kind === "http" && <OauthFields draft={draft} set={set} />}
        <TermsFields draft={draft} set={set} isNew={server === undefined} />
        {!server && <Option label={t("form.review")} help={t("form.review.help")} checked={draft.review} onChange={(review) => set({ review })} />}
      </SheetBody>
      <SheetFooter>
        <Button type="submit" busy={add.isPending || change.isPending}>
          {server ? t("form.save") : t("add")}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </SheetFooter>
    </form>
  );
}
