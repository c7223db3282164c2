import { Activity } from "lucide-react";
import { useMemo, useState } from "react";

import { api, data } from "@/api/client";
import { usePages } from "@/api/pages";
import { keys } from "@/api/queries";
import { useLanguage } from "@/app/i18n";
import { JsonTree } from "@/parts/json/JsonTree";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { duration } from "@/parts/time/format";
import { Badge, type Tone } from "@/ui/badge";

import { useT } from "../messages";
import type { Run, RunEvent } from "../types";
import { toldOf, type Told } from "./told";

const PAGE = 200;

/** What happened in the run, as the log has it; the chosen event whole beside it. */
export default function Events({ run }: { run: Run }) {
  const t = useT();
  const [chosen, setChosen] = useState<number>();
  const events = usePages<RunEvent>([...keys.runs, run.id, "events"], async (cursor, signal) => {
    const after = cursor === undefined ? {} : { after: Number(cursor) };
    const page = await data(api.GET("/api/runs/{id}/events", { params: { path: { id: run.id }, query: { limit: PAGE, ...after } }, signal }));
    return { items: page.items, next_cursor: page.items.length < PAGE ? null : String(page.next_after) };
  });
  const lines = useMemo(() => toldOf(events.rows), [events.rows]);
  const columns = useColumns(Date.parse(run.created_at));
  if (events.isLoading) return <Loading />;
  if (events.error && lines.length === 0) return <Failed error={events.error} onRetry={events.retry} />;
  if (lines.length === 0) {
    return (
      <Empty icon={Activity} title={t("events.none")}>
        {t("events.noneText")}
      </Empty>
    );
  }
  const shown = lines.find(({ event }) => event.id === chosen);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <DataTable
        label={t("tab.events")}
        columns={columns}
        rows={lines}
        rowKey={({ event }) => String(event.id)}
        onOpen={({ event }) => setChosen(event.id === chosen ? undefined : event.id)}
        isCurrent={({ event }) => event.id === chosen}
        hasMore={events.hasMore}
        isLoadingMore={events.isLoadingMore}
        onMore={events.more}
      />
      <section aria-label={t("events.chosen")} aria-live="polite" className="min-w-0 max-xl:order-first xl:sticky xl:top-4">
        {shown ? <JsonTree value={{ type: shown.event.type, ...shown.event.data, ...(shown.count > 1 && { text: shown.text }) }} label={t("events.chosen")} /> : <p className="rounded-lg border border-dashed p-4 text-sm text-muted-foreground">{t("events.choose")}</p>}
      </section>
    </div>
  );
}

const TONES: Record<string, Tone> = { "tool.failed": "bad", "tool.needs_approval": "warn", "run.waiting": "warn", "tool.completed": "good", "run.finished": "good" };

function useColumns(startMs: number): Column<Told>[] {
  const t = useT();
  const language = useLanguage();
  return [
    { id: "at", header: t("events.at"), width: "6rem", align: "end", cell: ({ event }) => <span className="text-muted-foreground tabular-nums">+{duration(Math.max(0, Date.parse(event.created_at) - startMs), language)}</span> },
    { id: "type", header: t("events.type"), width: "12rem", phone: "title", cell: ({ event }) => <Badge tone={TONES[event.type] ?? "quiet"} className="font-mono">{event.type}</Badge> },
    { id: "what", header: t("events.what"), cell: ({ text, count }) => <span className="block min-w-0 truncate">{count > 1 ? `${text} (${t("events.pieces", { count })})` : text}</span> },
  ];
}
