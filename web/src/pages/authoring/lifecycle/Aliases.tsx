import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api, data } from "@/api/client";
import { asProblem } from "@/api/problem";
import { keys } from "@/api/queries";
import { explain, notify } from "@/app/notify";
import { endOfDay, today } from "@/parts/dates/range";
import { Failed } from "@/parts/states/states";
import { AbsoluteTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import { aliasesQuery, type Alias } from "../queries";

interface Wish {
  alias: string;
  remove_by: string;
}

/** Other names that lead here for a while. */
export function Aliases({ name }: { name: string }) {
  const t = useT();
  const queryClient = useQueryClient();
  const { data: all, error, refetch } = useQuery(aliasesQuery);
  const [alias, setAlias] = useState("");
  const [until, setUntil] = useState("");
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  const add = (wish: Wish) => data(api.POST("/api/tools/{name}/aliases", { params: { path: { name } }, body: wish }));
  const put = useMutation({
    mutationFn: add,
    onSuccess: async (made) => {
      setAlias("");
      setUntil("");
      await refresh();
      notify.done(t("alias.added", { alias: made.alias, name }));
    },
    meta: { quiet: true },
  });
  const end = useMutation({
    mutationFn: (gone: Alias) => data(api.DELETE("/api/aliases/{name}", { params: { path: { name: gone.alias } } })),
    onSuccess: async (_answer, gone) => {
      await refresh();
      notify.done(t("alias.ended", { alias: gone.alias }), { undo: () => void add({ alias: gone.alias, remove_by: gone.remove_by }).then(refresh, notify.failed) });
    },
  });
  const own = (all ?? []).filter(({ target }) => target === name);
  const refused = put.error ? explain(asProblem(put.error)).detail : undefined;
  return (
    <div className="grid gap-3 border-t pt-4">
      <h3 className="text-sm font-medium">{t("aliases")}</h3>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {own.length === 0 && !error && <p className="text-sm text-muted-foreground">{t("aliases.none")}</p>}
      {own.length > 0 && (
        <ul className="grid divide-y rounded-lg border">
          {own.map((one) => (
            <li key={one.alias} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
              <code className="font-mono break-all">{one.alias}</code>
              <span className="mr-auto text-muted-foreground">
                {t("alias.until")} <AbsoluteTime at={one.remove_by} />
              </span>
              <Button variant="ghost" size="sm" aria-label={t("alias.end.label", { alias: one.alias })} disabled={end.isPending} onClick={() => end.mutate(one)}>
                {t("alias.end")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="grid items-start gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (alias.trim() !== "" && until !== "") put.mutate({ alias: alias.trim(), remove_by: endOfDay(until) });
        }}
      >
        <Field id="alias-name" label={t("alias.name")} error={refused}>
          <Input
            id="alias-name"
            value={alias}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={refused !== undefined || undefined}
            aria-describedby={refused === undefined ? undefined : "alias-name-error"}
            onChange={(event) => {
              put.reset();
              setAlias(event.target.value);
            }}
          />
        </Field>
        <Field id="alias-until" label={t("alias.works")}>
          <Input id="alias-until" type="date" min={today()} value={until} onChange={(event) => setUntil(event.target.value)} />
        </Field>
        <Button type="submit" variant="outline" className="justify-self-start" disabled={alias.trim() === "" || until === ""} busy={put.isPending}>
          {t("alias.add")}
        </Button>
      </form>
    </div>
  );
}
