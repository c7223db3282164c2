import { Trash2 } from "lucide-react";
import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetFooter, SheetHeader, SheetTitle } from "@/ui/sheet";

import { draftOf, paramsOf, specOf } from "./draft";
import { useT } from "./messages";
import { ModelRows } from "./ModelRows";
import { ProviderFields } from "./ProviderFields";
import { useDeleteProvider, useSaveProvider, type Provider } from "./queries";

interface ProviderDrawerProps {
  /** None: a new one. */
  provider: Provider | undefined;
  mayChange: boolean;
  onClose(): void;
}

export function ProviderDrawer({ provider, mayChange, onClose }: ProviderDrawerProps) {
  const t = useT();
  const save = useSaveProvider(true);
  const again = useSaveProvider();
  const remove = useDeleteProvider();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const change = (next: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...next }));
  const done = (message: string, undo?: () => void) => {
    notify.done(message, undo ? { undo } : {});
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const undo = provider && (() => again.mutate({ id: provider.id, body: specOf(provider) }));
    save.mutate({ id: provider?.id, body: paramsOf(draft) }, { onSuccess: ({ name }) => done(t("saved", { name }), undo) });
  };
  const removeIt = (gone: Provider) => remove.mutate(gone.id, { onSuccess: () => done(t("removed", { name: gone.name }), () => again.mutate({ body: specOf(gone) })) });
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{provider?.name ?? t("add")}</SheetTitle>
          <SheetDescription>{t("drawer.text")}</SheetDescription>
        </SheetHeader>
        <form className="contents" onSubmit={submit}>
          <SheetBody>
            <fieldset disabled={!mayChange} className="grid min-w-0 content-start gap-5">
              <ProviderFields draft={draft} onChange={change} isNew={provider === undefined} />
              <ModelRows rows={draft.models} onChange={(models) => change({ models })} />
              <Refusal error={save.error} />
            </fieldset>
          </SheetBody>
          {mayChange && (
            <SheetFooter>
              <Button type="submit" busy={save.isPending}>
                {provider ? t("save") : t("add.action")}
              </Button>
              <Button variant="ghost" onClick={onClose}>
                {t("cancel")}
              </Button>
              {provider && (
                <Button variant="ghost" className="ml-auto text-bad" busy={remove.isPending} onClick={() => removeIt(provider)}>
                  <Trash2 aria-hidden />
                  {t("remove")}
                </Button>
              )}
            </SheetFooter>
          )}
        </form>
      </SheetContent>
    </Sheet>
  );
}
