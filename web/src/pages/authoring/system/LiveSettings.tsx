import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";
import { Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";
import { Label } from "@/ui/label";
import { Switch } from "@/ui/switch";

import { FieldList } from "../controls/FieldList";
import type { ControlSpec } from "../controls/types";
import { isSame, type Doc } from "../doc/json";
import { useT } from "../messages";
import { putSettings, settingsQuery, type ToolSettings } from "../queries";
import { Part } from "../sections/Part";

const TERMS: ControlSpec[] = [
  { path: ["quorum"], kind: "number", label: "terms.quorum", help: "terms.quorum.help", placeholder: "1" },
  { path: ["allow_self"], kind: "switch", label: "terms.self", help: "terms.self.help" },
  { path: ["independent"], kind: "switch", label: "terms.independent", help: "terms.independent.help" },
];

/** What the tenant decided about the tool. It holds at once, for every version. */
export function LiveSettings({ name }: { name: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery(settingsQuery(name));
  return (
    <Part title={t("live")} help={t("live.help")}>
      {data ? <Filled key={name} name={name} settings={data} /> : error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Part>
  );
}

function Filled({ name, settings }: { name: string; settings: ToolSettings }) {
  const t = useT();
  const queryClient = useQueryClient();
  const [terms, setTerms] = useState<Doc>({ ...settings.approval });
  const [known, setKnown] = useState(settings.approval);
  // Saved, here or elsewhere: the boxes follow, and the focus stays where it is.
  if (!isSame(known, settings.approval)) {
    setKnown(settings.approval);
    setTerms({ ...settings.approval });
  }
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  const save = useMutation({
    mutationFn: (next: ToolSettings) => putSettings(name, next),
    onSuccess: async (_answer, next) => {
      const isOff = next.enabled === false && settings.enabled !== false;
      notify.done(t(isOff ? "live.off" : "live.saved", { name }), { undo: () => void putSettings(name, settings).then(refresh, notify.failed) });
      await refresh();
    },
  });
  const hasTerms = Object.keys(terms).length > 0;
  return (
    <>
      <div className="flex items-start gap-3">
        <Switch id="live-enabled" checked={settings.enabled !== false} aria-describedby="live-enabled-help" onCheckedChange={(enabled) => !save.isPending && save.mutate({ ...settings, enabled })} />
        <div className="grid gap-0.5">
          <Label htmlFor="live-enabled">{t("live.enabled")}</Label>
          <p id="live-enabled-help" className="text-xs text-muted-foreground">
            {t("live.enabled.help")}
          </p>
        </div>
      </div>
      <FieldList specs={TERMS} doc={terms} onChange={setTerms} at={["approval"]} />
      <Button variant="outline" className="justify-self-start" disabled={isSame(terms, { ...settings.approval })} busy={save.isPending} onClick={() => save.mutate({ ...settings, approval: hasTerms ? (terms as ToolSettings["approval"]) : null })}>
        {t("terms.save")}
      </Button>
    </>
  );
}
