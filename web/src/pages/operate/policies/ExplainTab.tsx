import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";

import { everyAgentQuery, everyToolQuery, living } from "@/api/every";
import { CodeEditor } from "@/parts/form/editor/CodeEditor";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Combobox } from "@/ui/combobox";
import { Field } from "@/ui/label";

import { useAccess } from "../shared/access";
import { Explanation } from "./Explanation";
import { useT } from "./messages";
import { useExplain } from "./queries";

/** A call that nobody makes, and what would become of it. */
export function ExplainTab() {
  const t = useT();
  const { seesAgents } = useAccess();
  const { data: tools = [] } = useQuery(everyToolQuery);
  const { data: agents = [] } = useQuery({ ...everyAgentQuery, select: living, enabled: seesAgents });
  const [tool, setTool] = useState<string>();
  const [agent, setAgent] = useState<string>();
  const [text, setText] = useState("{}");
  const [reason, setReason] = useState<string>();
  const explain = useExplain();
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (tool === undefined) return;
    const input = read(text, t);
    setReason(typeof input === "string" ? input : undefined);
    if (typeof input !== "string") explain.mutate({ tool, input: input as Record<string, never>, ...(agent === undefined ? {} : { agent }) });
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <form className="grid gap-4" onSubmit={ask}>
        <p className="text-sm text-muted-foreground">{t("explain.lead")}</p>
        <Field id="explain-tool" label={t("explain.tool")}>
          <Combobox id="explain-tool" label={t("explain.tool")} value={tool} onChange={setTool} options={tools.map(({ name, description }) => ({ value: name, label: name, detail: <span className="max-w-40 truncate text-xs text-muted-foreground">{description}</span> }))} />
        </Field>
        {seesAgents && (
          <Field id="explain-agent" label={t("explain.agent")}>
            <Combobox id="explain-agent" label={t("explain.agent")} value={agent} placeholder={t("explain.me")} onChange={setAgent} options={agents.map(({ handle, display_name: name }) => ({ value: handle, label: name }))} />
          </Field>
        )}
        <div className="grid gap-1.5">
          <span className="text-sm font-medium">{t("explain.input")}</span>
          <CodeEditor id="explain-input" label={t("explain.input")} language="json" value={text} onChange={setText} isInvalid={reason !== undefined} />
          {reason !== undefined && (
            <p role="alert" className="text-xs text-bad">
              {reason}
            </p>
          )}
        </div>
        <Button type="submit" className="justify-self-start" disabled={tool === undefined} busy={explain.isPending}>
          {t("explain.ask")}
        </Button>
      </form>
      <div className="grid gap-3" aria-live="polite">
        <Refusal error={explain.error} />
        {explain.data && <Explanation answer={explain.data} />}
      </div>
    </div>
  );
}

/** The input, or why it is none. */
function read(text: string, t: ReturnType<typeof useT>): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : t("explain.notObject");
  } catch (error) {
    return t("explain.unreadable", { reason: error instanceof Error ? error.message : String(error) });
  }
}
