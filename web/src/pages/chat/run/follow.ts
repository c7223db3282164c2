// Follows a run by its stream of events. A stream that breaks goes on after the last event that was seen: nothing is missed, nothing
// comes twice, whichever process answers.
import { request } from "@/api/client";
import { backoffMs } from "@/api/live";
import { asProblem } from "@/api/problem";
import { eventsOf } from "@/api/stream";

import type { RunEvent } from "./state";

/** A server that is back is noticed quickly: somebody looks at this page. */
const LONGEST_PAUSE_MS = 4_000;

export interface Followed {
  thread: string;
  run: string;
  /** The last event that is known. */
  after: number;
  signal: AbortSignal;
  onEvent: (event: RunEvent) => void;
  onOpen?: () => void;
}

/** Reads one stream to its end. Answers whether the run was over by then. */
export async function readRun({ thread, run, after, signal, onEvent, onOpen }: Followed): Promise<boolean> {
  const path = `/api/threads/${encodeURIComponent(thread)}/events?run=${encodeURIComponent(run)}`;
  const response = await request(path, { headers: { accept: "text/event-stream", "last-event-id": String(after) }, signal });
  onOpen?.();
  for await (const { data } of eventsOf(response)) {
    const event = data as RunEvent;
    onEvent(event);
    if (event.type === "run.finished") return true;
  }
  return false;
}

export interface Watcher extends Followed {
  /** The stream broke, and is tried again. */
  onBroken: (isBroken: boolean) => void;
  /** A stream ended without the end of the run: how it stands must be asked. */
  onUnclear: () => void;
}

/** Follows until the run is over or nobody wants to know any more. A refusal is thrown. */
export async function followRun({ onBroken, onUnclear, ...followed }: Watcher): Promise<void> {
  const { signal } = followed;
  let { after } = followed;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const isOver = await readRun({
        ...followed,
        after,
        onOpen: () => onBroken(false),
        onEvent(event) {
          after = event.id;
          failures = 0;
          followed.onEvent(event);
        },
      });
      if (isOver) return;
    } catch (thrown) {
      if (signal.aborted) return;
      const problem = asProblem(thrown);
      // A stream that is cut in the middle throws no problem but an error of the network.
      if (problem.status > 0 && !problem.isPassing) throw thrown;
    }
    failures += 1;
    onBroken(true);
    onUnclear();
    await pause(Math.min(LONGEST_PAUSE_MS, backoffMs(failures)), signal);
  }
}

/** Ends early when the browser is online again, or nobody waits any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
