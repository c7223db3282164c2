// The moments of a call in their order: what its events say, and where those are not all known, what its row says.
import type { Invocation } from "@/api/queries";

import type { CallEvent } from "../queries";

export type Moment = "recorded" | "asked" | "approved" | "rejected" | "started" | "completed" | "failed" | "cancelled";

export interface Step {
  moment: Moment;
  at: string;
  /** Who did it, where somebody did. */
  by?: string;
  /** Since the step before. */
  afterMs?: number;
}

const MOMENTS: Partial<Record<CallEvent["type"], Moment>> = {
  "tool.needs_approval": "asked",
  "tool.approved": "approved",
  "tool.started": "started",
  "tool.completed": "completed",
  "tool.failed": "failed",
  "tool.cancelled": "cancelled",
};

export function timelineOf(call: Invocation, events: CallEvent[]): Step[] {
  const steps: Step[] = [{ moment: "recorded", at: call.created_at, by: call.caller }];
  for (const { type, created_at: at } of events) {
    const moment = MOMENTS[type];
    if (moment) steps.push(decided({ moment, at }, call));
  }
  const has = (moment: Moment) => steps.some((step) => step.moment === moment);
  if (call.started_at && !has("started")) steps.push({ moment: "started", at: call.started_at });
  const end = endOf(call);
  if (end && call.completed_at && !has(end)) steps.push(decided({ moment: end, at: call.completed_at }, call));
  steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return steps.map((step, index) => {
    const before = steps[index - 1];
    return before ? { ...step, afterMs: Math.max(0, Date.parse(step.at) - Date.parse(before.at)) } : step;
  });
}

/** A rejected call ends as failed; people want to read that somebody said no. */
function decided(step: Step, call: Invocation): Step {
  const by = call.approval_decided_by ?? undefined;
  if (step.moment === "approved") return { ...step, by };
  if (step.moment === "failed" && call.status === "rejected") return { ...step, moment: "rejected", by };
  return step;
}

function endOf({ status }: Invocation): Moment | undefined {
  return status === "completed" || status === "failed" || status === "cancelled" || status === "rejected" ? status : undefined;
}
