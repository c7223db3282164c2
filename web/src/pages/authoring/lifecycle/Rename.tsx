import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { api, data } from "@/api/client";
import { asProblem } from "@/api/problem";
import { keys } from "@/api/queries";
import { explain, notify } from "@/app/notify";
import { endOfDay, today } from "@/parts/dates/range";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";

/** The tool moves to another name; the old one leads there until a day of one's choice. */
export function Rename({ name }: { name: string }) {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [next, setNext] = useState("");
  const [until, setUntil] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  const rename = useMutation({
    mutationFn: () => data(api.POST("/api/tools/{name}/rename", { params: { path: { name } }, body: { name: next.trim(), ...(until !== "" && { remove_by: endOfDay(until) }) } })),
    onSuccess: async ({ tool, alias }) => {
      setIsAsking(false);
      await queryClient.invalidateQueries({ queryKey: keys.tools });
      notify.done(t("rename.done", { from: alias, to: tool.name }));
      void navigate({ to: "/admin/tools/$name", params: { name: tool.name }, search: { section: "lifecycle" }, ignoreBlocker: true });
    },
    onError: () => setIsAsking(false),
    meta: { quiet: true },
  });
  const error = rename.error ? explain(asProblem(rename.error)).detail : undefined;
  return (
    <form
      className="grid items-start gap-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (next.trim() !== "") setIsAsking(true);
      }}
    >
      <Field id="rename-name" label={t("rename.name")} error={error}>
        <Input id="rename-name" value={next} autoComplete="off" spellCheck={false} aria-invalid={error !== undefined || undefined} aria-describedby={error === undefined ? undefined : "rename-name-error"} onChange={(event) => { rename.reset(); setNext(event.target.value); }} />
      </Field>
      <Field id="rename-until" label={t("rename.until")} help={t("rename.until.help")}>
        <Input id="rename-until" type="date" min={today()} value={until} aria-describedby="rename-until-help" onChange={(event) => setUntil(event.target.value)} />
      </Field>
      <Button type="submit" variant="outline" className="justify-self-start" disabled={next.trim() === ""} busy={rename.isPending}>
        {t("rename.do")}
      </Button>
      <Confirm open={isAsking} onOpenChange={setIsAsking} title={t("rename.confirm", { from: name, to: next.trim() })} action={t("rename.do")} destructive={false} busy={rename.isPending} onConfirm={() => rename.mutate()}>
        {t("rename.confirm.body", { from: name })}
      </Confirm>
    </form>
  );
}
