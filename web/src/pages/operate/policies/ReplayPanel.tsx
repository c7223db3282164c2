import { useNavigate } from "@tanstack/react-router";
import { ArrowRight, History } from "lucide-react";
import { useState } from "react";

import { VerdictBadge } from "@/parts/badges/badges";
import { Principal } from "@/parts/people/Principal";
import { Refusal } from "@/parts/refusal/Refusal";
import { DataTable, type Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { NativeSelect } from "@/ui/native-select";

import { spelled } from "./document";
import { useT } from "./messages";
import type { Replay, ReplayedDecision, useReplay } from "./queries";
import { deciding, transitions } from "./transitions";
import type { Check, Draft } from "./useDraft";

const COUNTS = [100, 1_000, 10_000] as const;

interface ReplayPanelProps {
  draft: Draft;
  check: Check;
  replay: ReturnType<typeof useReplay>;
}

/** What the draft would have changed: how many calls, which, from what to what. */
export function ReplayPanel({ draft, check, replay }: ReplayPanelProps) {
  const t = useT();
  const [last, setLast] = useState<number>(1_000);
  const isOld = replay.data !== undefined && spelled(replay.variables.document) !== spelled(draft.document);
  return (
    <Card>
      <CardHeader>
        <div className="min-w-0 flex-1 basis-60">
          <CardTitle>{t("replay.title")}</CardTitle>
          <p className="text-sm text-muted-foreground">{check.isGood || check.isChecking ? t("replay.text") : t("replay.mend")}</p>
        </div>
        <NativeSelect aria-label={t("replay.last")} value={last} onChange={(event) => setLast(Number(event.target.value))}>
          {COUNTS.map((count) => (
            <option key={count} value={count}>
              {t("replay.newest", { count })}
            </option>
          ))}
        </NativeSelect>
        <Button variant="outline" busy={replay.isPending} disabled={!check.isGood} onClick={() => replay.mutate({ document: draft.document, last })}>
          {!replay.isPending && <History aria-hidden />}
          {t("replay.run")}
        </Button>
      </CardHeader>
      {(replay.data ?? replay.error) && (
        <CardContent className="grid gap-3">
          <Refusal error={replay.error} />
          {isOld && <p className="text-sm text-warn">{t("replay.old")}</p>}
          {replay.data && <Result replay={replay.data} />}
        </CardContent>
      )}
    </Card>
  );
}

function Result({ replay }: { replay: Replay }) {
  const t = useT();
  const navigate = useNavigate();
  const columns = useColumns();
  const { judged, skipped, changes } = replay;
  return (
    <>
      <div role="status" className="grid gap-1 text-sm">
        {judged === 0 ? (
          <p>{t("replay.none")}</p>
        ) : changes.length === 0 ? (
          <p>{t("replay.same", { count: judged })}</p>
        ) : (
          <p className="font-medium">{t("replay.changed", { count: changes.length, judged })}</p>
        )}
        {skipped > 0 && <p className="text-muted-foreground">{t("replay.skipped", { count: skipped })}</p>}
      </div>
      {changes.length > 0 && (
        <>
          <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
            {transitions(changes).map(({ was, wouldBe, count }) => (
              <li key={`${was}-${wouldBe}`} className="flex items-center gap-1.5">
                <span className="text-base font-semibold tabular-nums">{count}</span>
                <Shift was={was} wouldBe={wouldBe} />
              </li>
            ))}
          </ul>
          <DataTable
            label={t("replay.title")}
            columns={columns}
            rows={changes}
            rowKey={({ invocation_id: id }) => id}
            onOpen={({ invocation_id: invocation }) => void navigate({ to: ".", search: (search: object) => ({ ...search, invocation }) })}
          />
        </>
      )}
    </>
  );
}

function Shift({ was, wouldBe }: { was: ReplayedDecision["was"]["verdict"]; wouldBe: ReplayedDecision["was"]["verdict"] }) {
  return (
    <span className="inline-flex items-center gap-1">
      <VerdictBadge value={was} />
      <ArrowRight aria-hidden className="size-3.5 text-muted-foreground" />
      <span className="sr-only">→</span>
      <VerdictBadge value={wouldBe} />
    </span>
  );
}

function useColumns(): Column<ReplayedDecision>[] {
  const t = useT();
  return [
    { id: "call", header: t("replay.column.call"), width: "minmax(0,1.5fr)", phone: "title", cell: ({ tool }) => <span className="font-medium break-all">{tool}</span> },
    { id: "change", header: t("replay.column.change"), width: "10.5rem", phone: "title", cell: ({ was, would_be: wouldBe }) => <Shift was={was.verdict} wouldBe={wouldBe.verdict} /> },
    { id: "why", header: t("replay.column.why"), width: "minmax(0,3fr)", cell: ({ would_be: wouldBe }) => <span className="block min-w-0 truncate max-md:whitespace-normal" title={deciding(wouldBe)?.because}>{deciding(wouldBe)?.because}</span> },
    { id: "who", header: t("replay.column.who"), width: "minmax(0,1fr)", cell: ({ caller }) => <span className="block truncate"><Principal id={caller} /></span> },
    { id: "when", header: t("replay.column.when"), width: "6.5rem", align: "end", cell: ({ created_at: at }) => <RelativeTime at={at} className="text-muted-foreground" /> },
  ];
}
