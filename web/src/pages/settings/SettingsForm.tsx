import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";

import { draftOf, settingsOf, type Draft } from "./draft";
import { useT } from "./messages";
import { usePutSettings, type Settings } from "./queries";
import { BudgetSection, RateSection, RunSection } from "./sections";

/** All limits at once: they are replaced as a whole, and the toast puts back what was. */
export function SettingsForm({ settings }: { settings: Settings }) {
  const t = useT();
  const readOnly = !useMe().may("policies.tenant.update");
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [known, setKnown] = useState(settings);
  // Saved, put back, or changed by somebody else: the form shows what is in force.
  if (settings !== known) {
    setKnown(settings);
    setDraft(draftOf(settings));
  }
  const save = usePutSettings(true);
  const putBack = usePutSettings();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(settings));
  const change = (next: Partial<Draft>) => setDraft((old) => ({ ...old, ...next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(settingsOf(draft), { onSuccess: () => notify.done(t("saved"), { undo: () => putBack.mutate(settings) }) });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {/* Without the right to change them, one reads them. */}
      <fieldset disabled={readOnly} className="contents">
        <RateSection draft={draft} onChange={change} />
        <BudgetSection draft={draft} onChange={change} />
        <RunSection draft={draft} onChange={change} />
      </fieldset>
      {readOnly ? (
        <p className="text-sm text-muted-foreground">{t("readOnly")}</p>
      ) : (
        <div className="sticky bottom-0 -mx-4 grid gap-2 border-t bg-background px-4 py-3 md:-mx-6 md:px-6">
          <Refusal error={save.error} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={save.isPending} disabled={!isChanged}>
              {t("save")}
            </Button>
            {isChanged && (
              <Button variant="ghost" onClick={() => setDraft(draftOf(settings))}>
                {t("discard")}
              </Button>
            )}
          </div>
        </div>
      )}
    </form>
  );
}
