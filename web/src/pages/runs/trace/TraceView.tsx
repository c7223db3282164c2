import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Waypoints } from "lucide-react";
import { useMemo, useState } from "react";

import { Problem } from "@/api/problem";
import { compact } from "@/parts/search/params";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { useNow } from "@/parts/time/Time";

import { useT } from "../messages";
import { traceQuery } from "../queries";
import type { RunSearch } from "../search";
import { isOver, type Run, type Trace } from "../types";
import { around, type Window } from "./scale";
import { SpanDetail } from "./SpanDetail";
import { TraceBar } from "./TraceBar";
import { extentOf, namedIn, rowsOf } from "./tree";
import { WhereTimeWent } from "./WhereTimeWent";
import { Waterfall } from "./Waterfall";

const route = getRouteApi("/shell/runs/$id");

/** Where the time of a run went, span by span. */
export default function TraceView({ run }: { run: Run }) {
  const t = useT();
  const { data: trace, error, refetch } = useQuery(traceQuery(run.id));
  const isMissing = !trace && error instanceof Problem && error.isNotFound;
  if (isMissing || trace?.spans.length === 0) {
    return (
      <Empty icon={Waypoints} title={t("trace.none")}>
        {isOver(run) ? t("trace.noneText") : t("trace.notYet")}
      </Empty>
    );
  }
  if (!trace) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <ShownTrace trace={trace} />;
}

function ShownTrace({ trace: { spans, truncated } }: { trace: Trace }) {
  const t = useT();
  const { span: asked, show = "all" } = route.useSearch();
  // The address follows the choice: it comes too late for somebody who holds an arrow key down.
  const [chosenId, setChosenId] = useState(asked);
  // A drawer over this page may lead to the span of its call.
  const [askedBefore, setAskedBefore] = useState(asked);
  if (asked !== askedBefore) {
    setAskedBefore(asked);
    if (asked?.startsWith("inv_")) setChosenId(asked);
  }
  const navigate = route.useNavigate();
  const now = useNow();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [zoom, setZoom] = useState<Window>();
  const { lengthMs } = useMemo(() => extentOf(spans, now), [spans, now]);
  const rows = useMemo(() => rowsOf(spans, closed, show, now), [spans, closed, show, now]);
  const sight = zoom ?? { fromMs: 0, toMs: lengthMs };
  const change = (next: Partial<RunSearch>) => void navigate({ search: (old): RunSearch => compact({ ...old, ...next }), replace: true });
  const choose = (id: string) => {
    setChosenId(id);
    if (id !== chosenId) change({ span: id });
  };
  const chosen = namedIn(rows, chosenId) ?? rows[0];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <WhereTimeWent spans={spans} now={now} />
      {truncated && <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{t("trace.truncated")}</p>}
      <TraceBar count={spans.length} show={show} onShow={(next) => change({ show: next === "all" ? undefined : next })} sight={sight} isZoomed={zoom !== undefined} lengthMs={lengthMs} onSight={setZoom} />
      {rows.length === 0 ? (
        <p role="status" className="rounded-lg border px-4 py-8 text-center text-sm text-muted-foreground">
          {t("trace.noErrors")}
        </p>
      ) : (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <Waterfall rows={rows} sight={sight} lengthMs={lengthMs} onSight={setZoom} chosen={chosen?.span.span_id} onChoose={choose} closed={closed} onClosed={setClosed} />
          {chosen && <SpanDetail row={chosen} lengthMs={lengthMs} onZoom={() => setZoom(around(chosen.fromMs, chosen.toMs, lengthMs))} />}
        </div>
      )}
    </div>
  );
}
