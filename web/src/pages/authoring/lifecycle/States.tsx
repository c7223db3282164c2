import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import type { Schemas } from "@/api/client";
import { keys } from "@/api/queries";
import { notify } from "@/app/notify";
import { LifecycleBadge } from "@/parts/badges/badges";
import { Button } from "@/ui/button";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { patchTool, type Version } from "../queries";

type State = Schemas["Lifecycle"];
const STATES = ["active", "deprecated", "blocked"] as const;

/** One version, or all of them, moves from one state to another. */
export function States({ name, versions }: { name: string; versions: Version[] }) {
  const t = useT();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState("");
  const there = versions.filter(({ lifecycle }) => lifecycle !== "archived");
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  const meant = chosen === "" ? there : there.filter(({ version }) => version === chosen);
  const move = useMutation({
    mutationFn: ({ reference, lifecycle }: { reference: string; lifecycle: State; before: Version[] }) => patchTool(reference, { lifecycle }),
    onSuccess: async (_answer, { reference, lifecycle, before }) => {
      await refresh();
      // Each version goes back to the state that it had.
      const back = async () => {
        for (const version of before) await patchTool(`${name}@${version.version}`, { lifecycle: version.lifecycle });
      };
      notify.done(t(`states.done.${lifecycle as "active"}`, { id: reference }), { undo: () => void back().catch(notify.failed).finally(refresh) });
    },
  });
  const isAll = (state: State) => meant.length > 0 && meant.every(({ lifecycle }) => lifecycle === state);
  return (
    <>
      <Field id="lifecycle-version" label={t("states.which")}>
        <NativeSelect id="lifecycle-version" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">{t("states.all")}</option>
          {there.map(({ version, lifecycle }) => (
            <option key={version} value={version}>
              {`${version} · ${t(`state.${lifecycle as "active"}`)}`}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <ul className="grid gap-2">
        {STATES.map((state) => (
          <li key={state} className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2">
            <LifecycleBadge value={state} />
            <span className="min-w-0 flex-1 basis-40 text-sm text-muted-foreground">{t(`states.${state}.help`)}</span>
            <Button
              variant={state === "blocked" ? "destructive" : "outline"}
              size="sm"
              // Not `disabled`: whoever pressed it with a key stays where they are.
              aria-disabled={isAll(state) || undefined}
              onClick={() => !isAll(state) && !move.isPending && move.mutate({ reference: chosen === "" ? name : `${name}@${chosen}`, lifecycle: state, before: meant })}
            >
              {isAll(state) ? t("states.is") : t(`states.${state}.do`)}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
