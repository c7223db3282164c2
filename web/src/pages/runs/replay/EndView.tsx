import { useLanguage } from "@/app/i18n";
import { StatusBadge } from "@/parts/badges/badges";
import { JsonTree } from "@/parts/json/JsonTree";
import { Markdown } from "@/parts/sections";
import { cost } from "@/parts/time/format";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { RunError } from "../RunError";
import type { Run } from "../types";

/** How the run ended, and what it handed to whoever started it. */
export function EndView({ run }: { run: Run }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("moment.end")}</CardTitle>
        <StatusBadge value={run.status} />
        {run.cost ? <span className="text-sm text-muted-foreground">{cost(run.cost, language)}</span> : null}
      </CardHeader>
      <CardContent className="flex min-w-0 flex-col gap-4">
        {run.error && <RunError error={run.error} />}
        {run.response && <Markdown text={run.response} />}
        {run.outputs && (
          <section aria-label={t("outputs")}>
            <h3 className="pb-2 text-sm font-medium">{t("outputs")}</h3>
            <JsonTree value={run.outputs} label={t("outputs")} />
          </section>
        )}
      </CardContent>
    </Card>
  );
}
