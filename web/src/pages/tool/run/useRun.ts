import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";

import { api, data, request } from "@/api/client";
import { Problem, unreachable, type ProblemBody } from "@/api/problem";
import { invocationQuery, keys } from "@/api/queries";
import { eventsOf } from "@/api/stream";
import { notify } from "@/app/notify";

import { reduce, type Run } from "./state";

/** The stream of events refreshes it at once; this is for those who may not follow it. */
const POLL_MS = 3_000;

export interface RunControl {
  run: Run;
  start: (input: unknown) => void;
  cancel: () => void;
}

/** How a call is made: where to, and what with. */
export interface Way {
  path: string;
  body(input: unknown): unknown;
}

const called = (tool: string): Way => ({ path: `/api/tools/${encodeURIComponent(tool)}/invoke/stream`, body: (input) => ({ input }) });

/** Calls the tool and follows the call: what it streams, whom it waits for, how it ends. A test run goes another way. */
export function useRun(tool: string, way: Way = called(tool)): RunControl {
  const [run, dispatch] = useReducer(reduce, { state: "idle" });
  const queryClient = useQueryClient();
  const reading = useRef<AbortController>(undefined);
  const latest = useRef(way);
  useEffect(() => {
    latest.current = way;
  });

  // Leaving the page ends the watching, not the call.
  useEffect(() => () => reading.current?.abort(), [tool]);

  const start = useCallback(
    (input: unknown) => {
      reading.current?.abort();
      const control = new AbortController();
      reading.current = control;
      dispatch({ type: "start", input, at: Date.now() });
      void watch(latest.current, input, control.signal, dispatch).then(() => queryClient.invalidateQueries({ queryKey: keys.invocations }));
    },
    [queryClient],
  );

  const invocationId = run.state === "running" ? run.invocationId : run.state === "waiting" ? run.invocation.id : undefined;
  const cancel = useCallback(() => {
    if (invocationId === undefined) return;
    dispatch({ type: "cancelling" });
    const cancelled = data(api.POST("/api/invocations/{id}/cancel", { params: { path: { id: invocationId } } }));
    cancelled.then((invocation) => dispatch({ type: "followed", invocation }), notify.failed);
  }, [invocationId]);

  const waitingFor = run.state === "waiting" ? run.invocation.id : undefined;
  const followed = useQuery({ ...invocationQuery(waitingFor ?? ""), enabled: waitingFor !== undefined, refetchInterval: POLL_MS, staleTime: 0 });
  useEffect(() => {
    if (followed.data) dispatch({ type: "followed", invocation: followed.data });
  }, [followed.data]);

  return { run, start, cancel };
}

type Dispatch = (action: Parameters<typeof reduce>[1]) => void;

async function watch(way: Way, input: unknown, signal: AbortSignal, dispatch: Dispatch): Promise<void> {
  try {
    const response = await request(way.path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(way.body(input)),
      signal,
    });
    let isOver = false;
    for await (const event of eventsOf(response)) {
      if (event.name === "error") {
        const body = event.data as ProblemBody;
        throw new Problem(body.status ?? 500, body);
      }
      isOver ||= event.name === "finished" || event.name === "needs_approval";
      dispatch({ type: "event", event });
    }
    // The call goes on without us; the history has how it ended.
    if (!isOver) dispatch({ type: "refused", problem: unreachable() });
  } catch (error) {
    // What is no answer of the server is a stream that broke: whether the call was made is not ours to say.
    if (!signal.aborted) dispatch({ type: "refused", problem: error instanceof Problem ? error : unreachable() });
  }
}
