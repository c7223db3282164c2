import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useMemo } from "react";

import { compact } from "@/parts/search/params";
import { Empty, Failed, Loading } from "@/parts/states/states";

import { useT } from "../messages";
import { callsQuery, stepsQuery } from "../queries";
import type { RunSearch } from "../search";
import { isOver, type Run } from "../types";
import { BeginView } from "./BeginView";
import { BundleCard } from "./BundleCard";
import { Compare, Differences } from "./Compare";
import { EndView } from "./EndView";
import { momentsOf, type Moment } from "./moments";
import { MomentList } from "./MomentList";
import { Player } from "./Player";
import { TurnView } from "./TurnView";

const route = getRouteApi("/shell/runs/$id");

/** Steps through a run: what the model saw, what it asked for, and what came of it. */
export default function Replay({ run }: { run: Run }) {
  const t = useT();
  const { step = 0, against } = route.useSearch();
  const navigate = route.useNavigate();
  const steps = useQuery(stepsQuery(run.id));
  const calls = useQuery(callsQuery(run.id));
  const moments = useMemo(() => (steps.data && calls.data ? momentsOf(run, steps.data, calls.data) : []), [run, steps.data, calls.data]);
  const error = steps.error ?? calls.error;
  // What was read stays on the page while the server is away for a moment.
  if (!steps.data || !calls.data) return error ? <Failed error={error} onRetry={() => void Promise.all([steps.refetch(), calls.refetch()])} /> : <Loading />;
  const at = Math.min(step, moments.length - 1);
  const moment = moments[at];
  if (!moment) {
    return (
      <Empty icon={History} title={t("replay.none")}>
        {isOver(run) ? t("steps.none") : t("steps.notYet")}
      </Empty>
    );
  }
  const change = (next: Partial<RunSearch>) => void navigate({ search: (old): RunSearch => compact({ ...old, ...next }), replace: true });
  const go = (next: number) => change({ step: next });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4 max-lg:order-last lg:sticky lg:top-4">
        <MomentList moments={moments} at={at} onGo={go} />
        <Compare run={run} moments={moments} against={against} onAgainst={(other) => change({ against: other })} onGo={go} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Player moments={moments} at={at} onGo={go} />
        {against !== undefined && <Differences moment={moment} at={at} against={against} />}
        <MomentView moments={moments} at={at} />
        <BundleCard run={run} />
      </div>
    </div>
  );
}

function MomentView({ moments, at }: { moments: Moment[]; at: number }) {
  const moment = moments[at];
  switch (moment?.kind) {
    case "begin":
      return <BeginView begin={moment.begin} />;
    case "turn":
      return <TurnView key={moment.step.id} moment={moment} before={moments.slice(0, at)} />;
    case "end":
      return <EndView run={moment.run} />;
    case undefined:
      return null;
  }
}
