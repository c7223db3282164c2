import { Input, Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import { Choices } from "../../shared/Choices";
import { useT } from "../messages";
import type { ServerDraft } from "./draft";
import { PairsField } from "./PairsField";

export interface PartProps {
  draft: ServerDraft;
  set(part: Partial<ServerDraft>): void;
}

export function ConnectionFields({ draft, set }: PartProps) {
  const t = useT();
  return (
    <>
      <Choices
        label={t("form.how")}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        choices={[
          { value: "http", label: t("form.http"), help: t("form.http.help") },
          { value: "stdio", label: t("form.stdio"), help: t("form.stdio.help") },
        ]}
      />
      {draft.kind === "http" ? (
        <>
          <Field id="server-url" label={t("form.url")}>
            <Input id="server-url" type="url" required placeholder="https://mcp.example.com/mcp" value={draft.url} onChange={(event) => set({ url: event.target.value })} />
          </Field>
          <PairsField kind="headers" pairs={draft.headers} onChange={(headers) => set({ headers })} />
        </>
      ) : (
        <>
          <Field id="server-command" label={t("form.command")}>
            <Input id="server-command" required placeholder="uvx" className="font-mono" value={draft.command} onChange={(event) => set({ command: event.target.value })} spellCheck={false} />
          </Field>
          <Field id="server-args" label={t("form.args")} help={t("form.args.help")}>
            <Textarea id="server-args" aria-describedby="server-args-help" className="font-mono" value={draft.args} onChange={(event) => set({ args: event.target.value })} spellCheck={false} />
          </Field>
          <Field id="server-cwd" label={t("form.cwd")}>
            <Input id="server-cwd" className="font-mono" value={draft.cwd} onChange={(event) => set({ cwd: event.target.value })} spellCheck={false} />
          </Field>
          <PairsField kind="env" pairs={draft.env} onChange={(env) => set({ env })} />
        </>
      )}
    </>
  );
}
