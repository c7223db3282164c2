import { useState, type ReactNode } from "react";

import type { Agent } from "@/api/queries";
import { useWorkspace } from "@/app/workspace";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";

export function About({ agent }: { agent: Agent }) {
  const t = useT();
  const { all } = useWorkspace();
  const { temperature, max_output_tokens: tokens } = agent.model_parameters ?? {};
  const parameters = [temperature != null && t("about.temperature", { value: temperature }), tokens != null && t("about.tokens", { count: tokens })].filter(Boolean).join(", ");
  const workspace = agent.workspace_id ? (all.find(({ id }) => id === agent.workspace_id)?.name ?? agent.workspace_id) : t("workspace.none");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("about")}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        <Persona text={agent.persona} />
        <dl className="grid gap-x-4 gap-y-2 text-sm grid-cols-[auto_minmax(0,1fr)]">
          <Fact name={t("model.name")}>
            {agent.model ?? t("model.default")}
            {parameters !== "" && <span className="text-muted-foreground"> · {parameters}</span>}
          </Fact>
          <Fact name={t("column.owner")}>{agent.owner ? <Principal id={agent.owner} /> : t("owner.none")}</Fact>
          <Fact name={t("column.workspace")}>{workspace}</Fact>
          <Fact name={t("column.changed")}>
            <RelativeTime at={agent.updated_at} />
          </Fact>
          <Fact name={t("about.id")}>
            <span className="-my-1.5 flex items-center gap-1">
              <code className="min-w-0 truncate font-mono text-xs">{agent.id}</code>
              <CopyButton text={agent.id} label={t("about.copyId")} />
            </span>
          </Fact>
        </dl>
      </CardContent>
    </Card>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

const LONG = 400;

/** Long instructions are folded: one comes here for more than them. */
function Persona({ text }: { text: string | null | undefined }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  if (!text) return <p className="text-sm text-muted-foreground">{t("about.noPersona")}</p>;
  const isLong = text.length > LONG;
  return (
    <div>
      <p className="text-sm break-words whitespace-pre-wrap">{isLong && !isWhole ? `${text.slice(0, LONG)}…` : text}</p>
      {isLong && (
        <Button variant="link" size="inline" className="pt-1 max-md:min-h-11" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {t(isWhole ? "about.less" : "about.more")}
        </Button>
      )}
    </div>
  );
}
