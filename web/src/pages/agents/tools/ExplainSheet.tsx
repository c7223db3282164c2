import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { lazy, Suspense, useState } from "react";

import type { Agent } from "@/api/queries";
import { useMe } from "@/app/session";
import { Failed, Loading } from "@/parts/states/states";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/ui/sheet";

import { useT } from "../messages";
import { explainQuery } from "../queries";
import { Evidence } from "./Evidence";
import { PermissionPicker } from "./PermissionPicker";
import { isReached, type ToolRow } from "./rows";
import { useToolChanges } from "./useToolChanges";
import { useToolRows } from "./useToolRows";
import { isAboutInput, outcomeOf, OutcomeBadge } from "./verdict";

const WhatIf = lazy(() => import("./WhatIf"));
const route = getRouteApi("/shell/agents/$id");

/** May this agent call this tool, and who says so. It is in the URL, so it can be sent to whoever asks. */
export function ExplainSheet({ agent }: { agent: Agent }) {
  const t = useT();
  const navigate = route.useNavigate();
  const { explain: tool } = route.useSearch();
  const close = () => void navigate({ search: ({ explain: _gone, ...rest }) => rest, replace: true });
  return (
    <Sheet open={tool !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
      {tool !== undefined && (
        <SheetContent>
          <SheetHeader>
            <SheetTitle>{t("explain.title", { name: agent.display_name, tool })}</SheetTitle>
            <SheetDescription>{t("explain.text")}</SheetDescription>
          </SheetHeader>
          <SheetBody className="grid content-start gap-5">
            <Answer key={tool} agent={agent} tool={tool} />
          </SheetBody>
        </SheetContent>
      )}
    </Sheet>
  );
}

function Answer({ agent, tool }: { agent: Agent; tool: string }) {
  const t = useT();
  const [input, setInput] = useState<Record<string, unknown>>();
  const { data: explanation, error, refetch } = useQuery(explainQuery(agent.id, tool, input));
  const { rows, given } = useToolRows(agent);
  const row = rows?.find(({ name }) => name === tool);
  if (!explanation) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />;
  const outcome = outcomeOf(explanation);
  return (
    <>
      <div className="grid gap-1" role="status">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium">
          <OutcomeBadge value={outcome} />
          {t(`outcome.${outcome}`, { name: agent.display_name })}
        </p>
        {outcome === "stuck" && explanation.error && <p className="text-sm break-words">{explanation.error.message}</p>}
        {input !== undefined && <p className="text-sm text-muted-foreground">{t("explain.withInput")}</p>}
        {input !== undefined && isAboutInput(explanation) && <p className="text-sm break-words text-bad">{explanation.error?.message}</p>}
      </div>
      {row && isReached(row) && <Tier agent={agent} row={row} given={given} />}
      <Evidence explanation={explanation} />
      {row?.entry && (
        <Suspense fallback={<Loading />}>
          <WhatIf schema={row.entry.inputSchema} onAsk={setInput} />
        </Suspense>
      )}
    </>
  );
}

/** The tier can be changed here as well: on a phone there is more room. */
function Tier({ agent, row, given }: { agent: Agent; row: ToolRow; given: ReadonlySet<string> }) {
  const t = useT();
  const me = useMe();
  const changes = useToolChanges(agent, given);
  const isWrite = row.entry?.egressClass === "write";
  const mayEdit = me.may("agents.tenant.update") && agent.status !== "archived" && row.entry !== undefined;
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{t("column.permission")}</h3>
      {mayEdit && <PermissionPicker tool={row.name} value={changes.tierOf(row)} isWrite={isWrite} onChange={(tier) => changes.setTier(row, tier)} />}
      {isWrite && (
        <div className="flex gap-2 rounded-lg border bg-warn-soft p-3 text-sm text-warn">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p>
            <strong className="font-medium">{t("write.title", { tool: row.name })}</strong> {t("write.text")}
          </p>
        </div>
      )}
    </section>
  );
}
