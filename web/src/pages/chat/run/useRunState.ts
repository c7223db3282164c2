import { queryOptions, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";

import { followRun, readRun } from "./follow";
import { fold, NOTHING, type RunEvent, type RunState, type Status } from "./state";
import { standingOf } from "./view";

/** A run that is over changes no more, so it is read once. */
const runStateQuery = (thread: string, run: string) =>
  queryOptions({
    queryKey: [...keys.threads, thread, "run", run],
    queryFn: async ({ signal }): Promise<RunState> => {
      let state = NOTHING;
      await readRun({ thread, run, after: 0, signal, onEvent: (event) => (state = fold(state, event)) });
      return state;
    },
    staleTime: Infinity,
  });

/** What is known of a run. `isReadable`: it is over and somebody looks at it; until then `useFollowedRun` tells. */
export function useRunState(thread: string, run: string, isReadable: boolean): RunState | undefined {
  return useQuery({ ...runStateQuery(thread, run), enabled: isReadable }).data;
}

/** Only how it stands: whoever asks for this is not drawn again with every word. */
export function useRunStatus(thread: string, run: string): Status | undefined {
  return useQuery({ ...runStateQuery(thread, run), enabled: false, select: standingOf }).data;
}

/** Follows the run that goes on; everybody who shows it is told through `useRunState`. */
export function useFollowedRun(thread: string, run: string | undefined): { isBroken: boolean } {
  const queryClient = useQueryClient();
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    if (run === undefined) return;
    const control = new AbortController();
    const refresh = () => void queryClient.invalidateQueries({ queryKey: [...keys.threads, thread, "messages"] });
    const batch = batched(queryClient, thread, run);
    void followRun({
      thread,
      run,
      after: known(queryClient, thread, run).lastId,
      signal: control.signal,
      onEvent: batch.add,
      onBroken: setIsBroken,
      onUnclear: refresh,
    })
      .catch(notify.failed)
      .finally(() => {
        batch.flush();
        if (control.signal.aborted) return;
        setIsBroken(false);
        refresh();
        void queryClient.invalidateQueries({ queryKey: [...keys.threads, "list"] });
      });
    return () => {
      control.abort();
      batch.flush();
      setIsBroken(false);
    };
  }, [queryClient, thread, run]);
  return { isBroken };
}

function known(queryClient: QueryClient, thread: string, run: string): RunState {
  return queryClient.getQueryData(runStateQuery(thread, run).queryKey) ?? NOTHING;
}

/** Words come faster than a screen is drawn: they are shown once per frame, or soon where no frame is drawn (a tab in the background). */
const HIDDEN_MS = 250;

function batched(queryClient: QueryClient, thread: string, run: string) {
  let waiting: RunEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame: number | undefined;
  const flush = () => {
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
    timer = frame = undefined;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    queryClient.setQueryData(runStateQuery(thread, run).queryKey, (old: RunState | undefined) => events.reduce(fold, old ?? NOTHING));
  };
  const add = (event: RunEvent) => {
    waiting.push(event);
    timer ??= setTimeout(flush, HIDDEN_MS);
    frame ??= requestAnimationFrame(flush);
  };
  return { add, flush };
}
