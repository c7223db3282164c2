import { useBlocker } from "@tanstack/react-router";

import type { Agent } from "@/api/queries";
import { notify } from "@/app/notify";
import { useShortcut } from "@/app/shortcuts";
import { useMe } from "@/app/session";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";
import { usePatchAgent } from "../mutations";
import { AgentFields } from "./AgentFields";
import { draftOf, patchOf, wrongIn } from "./draft";
import { useAgentForm } from "./useAgentForm";

/** Changes what the agent is. Only what was changed is sent, and the toast takes it back. */
export function Settings({ agent }: { agent: Agent }) {
  const t = useT();
  const me = useMe();
  const isReadOnly = !me.may("agents.tenant.update") || agent.status === "archived";
  const save = usePatchAgent(agent.id, { quiet: true });
  const back = usePatchAgent(agent.id);
  const { form, base, draft, wrong, refused, refusal, change, check, refuse, reset } = useAgentForm(draftOf(agent));
  const isUnsendable = Object.keys(wrongIn(draft)).length > 0;
  const count = isUnsendable ? 1 : Object.keys(patchOf(base, draft)).length;
  const isDirty = !isReadOnly && count > 0;

  const undo = (old: Record<string, unknown>) =>
    back.mutate(old, {
      onSuccess({ agent: undone }) {
        reset(draftOf(undone));
        notify.done(t("undone"));
      },
    });
  const submit = () => {
    if (!isDirty || save.isPending || !check()) return;
    const patch = patchOf(base, draft);
    const old = patchOf(draft, base);
    save.mutate(patch, {
      onSuccess({ agent: saved }) {
        reset(draftOf(saved));
        notify.done(t("saved", { name: saved.display_name }), { undo: () => undo(old) });
      },
      onError: refuse,
    });
  };
  useShortcut({ keys: "mod+s", label: t("save"), group: t("title"), run: submit }, !isReadOnly);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && (current.pathname !== next.pathname || (next.search as { tab?: string }).tab !== "settings"),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });

  return (
    <form
      ref={form}
      noValidate
      aria-label={t("tab.settings")}
      className="grid max-w-4xl gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isReadOnly && <p className="rounded-lg border bg-muted px-4 py-3 text-sm">{t(agent.status === "archived" ? "archived.readOnly" : "readOnly")}</p>}
      <AgentFields draft={draft} change={change} wrong={wrong} refused={refused} isReadOnly={isReadOnly} isNew={false} />
      <Refusal error={refusal} />
      {!isReadOnly && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t bg-background py-3">
          <Button type="submit" size="lg" disabled={!isDirty} busy={save.isPending}>
            {t("save")}
          </Button>
          <Button variant="ghost" size="lg" disabled={!isDirty} onClick={() => reset(base)}>
            {t("discard")}
          </Button>
          <p role="status" className="text-sm text-muted-foreground">
            {isDirty && t("unsaved", { count })}
          </p>
        </div>
      )}
      <Confirm open={leaving.status === "blocked"} onOpenChange={(isOpen) => !isOpen && leaving.reset?.()} title={t("leave.title")} action={t("leave.action")} onConfirm={() => leaving.proceed?.()}>
        {t("leave.text")}
      </Confirm>
    </form>
  );
}
