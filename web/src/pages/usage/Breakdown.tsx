import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";

import { Failed, Loading } from "@/parts/states/states";
import { DataTable, type Sort } from "@/parts/table/DataTable";
import { buttonVariants } from "@/ui/button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { useColumns } from "./columns";
import { sorted, type UsageItem } from "./days";
import { useT } from "./messages";
import { csvPath, reportQuery } from "./queries";
import { DIMENSIONS, type UsageDimension, type UsageQuery, type UsageSearch } from "./search";

interface BreakdownProps {
  query: UsageQuery;
  by: UsageDimension;
  onChange(next: Partial<UsageSearch>): void;
}

/** The sums by tool, agent, model or day. A row narrows the report to what it is about. */
export function Breakdown({ query, by, onChange }: BreakdownProps) {
  const t = useT();
  const choose = (next: string) => onChange({ by: DIMENSIONS.find((one) => one === next && one !== "tool") });
  return (
    <section aria-labelledby="breakdown" className="min-w-0">
      <div className="flex flex-wrap items-center gap-2 pb-2">
        <h2 id="breakdown" className="mr-auto text-base font-semibold">
          {t("breakdown")}
        </h2>
        <a href={csvPath(query, by)} download className={buttonVariants({ variant: "outline", size: "sm" })}>
          <Download aria-hidden />
          {t("csv")}
        </a>
      </div>
      <Tabs value={by} onValueChange={choose}>
        <TabsList aria-label={t("breakdown")}>
          {DIMENSIONS.map((one) => (
            <TabsTrigger key={one} value={one}>
              {t(`by.${one}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        {DIMENSIONS.map((one) => (
          <TabsContent key={one} value={one}>
            <Groups query={query} by={one} onChange={onChange} />
          </TabsContent>
        ))}
      </Tabs>
    </section>
  );
}

function Groups({ query, by, onChange }: BreakdownProps) {
  const t = useT();
  const { data: report, error, refetch } = useQuery(reportQuery(query, by));
  const columns = useColumns(by);
  const [sort, setSort] = useState<Sort>({ column: by === "day" ? "name" : "cost", descending: true });
  const rows = useMemo(() => {
    const column = columns.find(({ id }) => id === sort.column) ?? columns[0];
    return report && column ? sorted(report.items, column.value, sort.descending) : [];
  }, [report, columns, sort]);
  if (error && !report) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!report) return <Loading />;
  const narrowed = (item: UsageItem): Partial<UsageSearch> | undefined => {
    if (by === "tool" && item.tool) return { tool: item.tool, by: "day" };
    if (by === "agent" && item.agent_id) return { agent: item.agent_id, by: undefined };
    if (by === "day" && item.day) return { since: item.day, until: item.day, by: undefined };
    return undefined;
  };
  const open = (item: UsageItem) => {
    const next = narrowed(item);
    if (next) onChange(next);
  };
  return (
    <>
      {rows.length === 0 ? (
        <p className="rounded-lg border px-4 py-6 text-center text-sm text-muted-foreground">{t(by === "model" ? "noModels" : "noGroups")}</p>
      ) : (
        <DataTable label={`${t("breakdown")}: ${t(`by.${by}`)}`} columns={columns} rows={rows} rowKey={(item) => item.day ?? item.agent_id ?? item.tool ?? item.model ?? "–"} onOpen={by === "model" ? undefined : open} sort={sort} onSort={setSort} />
      )}
      {report.truncated && <p className="text-sm text-warn">{t("truncated")}</p>}
    </>
  );
}
