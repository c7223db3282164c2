import { useLanguage } from "@/app/i18n";
import { PathLink } from "@/app/PathLink";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Fact, FactList } from "@/parts/facts/FactList";
import { cost } from "@/parts/time/format";
import { AbsoluteTime, Duration, useNow } from "@/parts/time/Time";
import { useAgents } from "@/parts/people/agents";
import { Principal } from "@/parts/people/Principal";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { isOver, lastedMs, type Run } from "../types";

/** The run in numbers. */
export function Facts({ run }: { run: Run }) {
  const t = useT();
  const language = useLanguage();
  const now = useNow();
  const agent = useAgents().find(run.agent);
  const { steps } = run;
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const queuedMs = run.started_at ? Date.parse(run.started_at) - Date.parse(run.created_at) : 0;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("facts")}</CardTitle>
      </CardHeader>
      <CardContent>
        <FactList>
          <Fact name={t("agent")}>
            {agent ? (
              <PathLink path={`/agents/${agent.id}`} className="text-link hover:underline">
                {agent.display_name}
              </PathLink>
            ) : (
              run.agent
            )}
          </Fact>
          {steps?.model && <Fact name={t("model")}>{steps.model}</Fact>}
          <Fact name={t("column.caller")}>
            <Principal id={run.caller} className="block truncate" />
          </Fact>
          <Fact name={t("column.began")}>
            <AbsoluteTime at={run.started_at ?? run.created_at} />
          </Fact>
          <Fact name={t("column.lasted")}>
            <Duration ms={lastedMs(run, now)} className="tabular-nums" />
          </Fact>
          {queuedMs >= 1_000 && (
            <Fact name={t("queued")}>
              <Duration ms={queuedMs} />
            </Fact>
          )}
          {steps && (
            <>
              <Fact name={t("turns")}>{number(steps.turns)}</Fact>
              <Fact name={t("calls")}>{number(steps.calls)}</Fact>
              <Fact name={t("tokens")}>{t("tokens.inOut", { in: steps.input_tokens, out: steps.output_tokens })}</Fact>
            </>
          )}
          <Fact name={t("column.cost")}>{run.cost ? cost(run.cost, language) : t("cost.unknown")}</Fact>
          {!isOver(run) && steps?.deadline && (
            <Fact name={t("deadline")}>
              <AbsoluteTime at={steps.deadline} />
            </Fact>
          )}
          <Fact name={t("id")}>
            <span className="flex min-w-0 items-center gap-1">
              <code className="truncate font-mono text-xs">{run.id}</code>
              <CopyButton text={run.id} label={t("copyId")} className="shrink-0" />
            </span>
          </Fact>
        </FactList>
      </CardContent>
    </Card>
  );
}
