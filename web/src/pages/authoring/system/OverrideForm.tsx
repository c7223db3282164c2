import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { asProblem } from "@/api/problem";
import { keys, type Tool } from "@/api/queries";
import { explain, notify } from "@/app/notify";
import { Button } from "@/ui/button";

import { FieldList } from "../controls/FieldList";
import { focusPlace } from "../doc/focus";
import { isSame, type Doc } from "../doc/json";
import { LeaveGuard } from "../editor/LeaveGuard";
import { complaintOf } from "../editor/useCheck";
import { useT } from "../messages";
import { deleteTool, patchTool } from "../queries";
import { Part } from "../sections/Part";
import { OVERRIDE, OVERRIDE_KEYS } from "./specs";

/** Only the keys that differ are sent; a key that is gone is taken back. */
function patchBetween(before: Doc, after: Doc): Doc {
  const changed = OVERRIDE_KEYS.filter((key) => !isSame(before[key], after[key]));
  return Object.fromEntries(changed.map((key) => [key, after[key] ?? null]));
}

export function OverrideForm({ tool }: { tool: Tool }) {
  const t = useT();
  const queryClient = useQueryClient();
  const before: Doc = { ...tool.override };
  const [changed, setChanged] = useState(before);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  const isChanged = !isSame(before, changed);
  const hasOverride = Object.keys(before).length > 0;
  const save = useMutation({
    mutationFn: () => patchTool(tool.name, patchBetween(before, changed)),
    onSuccess: async () => {
      await refresh();
      notify.done(t("override.saved", { name: tool.name }), { undo: () => void patchTool(tool.name, patchBetween(changed, before)).then(refresh, notify.failed) });
    },
    onError: (thrown) => {
      const complaint = complaintOf(asProblem(thrown));
      if (complaint) focusPlace(complaint.pointer);
    },
    meta: { quiet: true },
  });
  const takeBack = useMutation({
    mutationFn: () => deleteTool(tool.name),
    onSuccess: async () => {
      await refresh();
      notify.done(t("override.takenBack", { name: tool.name }), { undo: () => void patchTool(tool.name, patchBetween({}, before)).then(refresh, notify.failed) });
    },
  });
  const problem = save.error ? asProblem(save.error) : undefined;
  const complaint = problem && complaintOf(problem);
  return (
    <Part title={t("override")} help={t("override.help")}>
      <FieldList
        specs={OVERRIDE}
        doc={changed}
        complaint={complaint}
        onChange={(next) => {
          save.reset();
          setChanged(next);
        }}
      />
      {problem && !complaint && (
        <p role="alert" className="text-sm break-words text-bad">
          {explain(problem).detail}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button disabled={!isChanged} busy={save.isPending} onClick={() => save.mutate()}>
          {t("override.save")}
        </Button>
        <Button variant="ghost" disabled={!isChanged} onClick={() => setChanged(before)}>
          {t("discard")}
        </Button>
        {hasOverride && (
          <Button variant="outline" className="sm:ml-auto" busy={takeBack.isPending} onClick={() => takeBack.mutate()}>
            {t("override.takeBack")}
          </Button>
        )}
      </div>
      <LeaveGuard isChanged={isChanged} onDiscard={() => setChanged(before)} />
    </Part>
  );
}
