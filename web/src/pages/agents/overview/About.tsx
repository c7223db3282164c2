import type { Agent } from "@/api/queries";
import { useWorkspace } from "@/app/workspace";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Fact, FactList } from "@/parts/facts/FactList";
import { Principal } from "@/parts/people/Principal";
import { FoldedText } from "@/parts/text/FoldedText";
import { RelativeTime } from "@/parts/time/Time";
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
        {agent.persona ? <FoldedText text={agent.persona} lines={8} className="text-sm" /> : <p className="text-sm text-muted-foreground">{t("about.noPersona")}</p>}
        <FactList>
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
        </FactList>
      </CardContent>
    </Card>
  );
}
