import { useQuery } from "@tanstack/react-query";
import { Ban, BadgeCheck, CircleCheck, CircleSlash, CircleX, FilePen, Hand, Play, type LucideIcon } from "lucide-react";

import type { Invocation } from "@/api/queries";
import { Principal } from "@/parts/people/Principal";
import { Failed, Loading } from "@/parts/states/states";
import { AbsoluteTime, Duration } from "@/parts/time/Time";

import { useT } from "../messages";
import { callEventsQuery } from "../queries";
import { timelineOf, type Moment } from "./timeline";

const ICONS: Record<Moment, LucideIcon> = {
  recorded: FilePen,
  asked: Hand,
  approved: BadgeCheck,
  rejected: Ban,
  started: Play,
  completed: CircleCheck,
  failed: CircleX,
  cancelled: CircleSlash,
};

/** When what happened, who did it, and how long it took. */
export function TimelineTab({ call }: { call: Invocation }) {
  const t = useT();
  const { data, error, refetch } = useQuery(callEventsQuery(call));
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />;
  const steps = timelineOf(call, data.events);
  const from = steps[0];
  const to = steps.at(-1);
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label={t("tab.timeline")} className="flex flex-col">
        {steps.map(({ moment, at, by, afterMs }, index) => {
          const Icon = ICONS[moment];
          return (
            <li key={index} className="relative flex gap-3 pb-4 last:pb-0">
              {index < steps.length - 1 && <span aria-hidden className="absolute top-6 bottom-0 left-[11px] w-px bg-border" />}
              <span className="grid size-6 shrink-0 place-items-center rounded-full border bg-card">
                <Icon aria-hidden className="size-3.5 text-muted-foreground" />
              </span>
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 pt-0.5 text-sm">
                <span className="font-medium">
                  {t(`moment.${moment}`)}
                  {by && (
                    <span className="font-normal text-muted-foreground">
                      {" · "}
                      <Principal id={by} />
                    </span>
                  )}
                </span>
                <AbsoluteTime at={at} className="text-muted-foreground" />
                {afterMs !== undefined && (
                  <span className="text-muted-foreground tabular-nums">
                    + <Duration ms={afterMs} />
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {from && to && call.completed_at && (
        <p className="text-sm text-muted-foreground">
          {t("total")} <Duration ms={Math.max(0, Date.parse(to.at) - Date.parse(from.at))} />
          {call.started_at && (
            <>
              {" · "}
              {t("ran")} <Duration ms={Math.max(0, Date.parse(call.completed_at) - Date.parse(call.started_at))} />
            </>
          )}
        </p>
      )}
      {!data.isWhole && <p className="text-sm text-muted-foreground">{t("timeline.part")}</p>}
    </div>
  );
}
