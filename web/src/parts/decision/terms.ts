// What a waiting call says of itself: who must agree, and what can be answered. The server judges every answer again.
import type { Invocation } from "@/api/queries";

export interface Terms {
  quorum: number;
  allowSelf: boolean;
  votes: string[];
}

export function termsOf({ approval, decision }: Pick<Invocation, "approval" | "decision">): Terms {
  return {
    quorum: approval?.quorum ?? decision.approval?.quorum ?? 1,
    allowSelf: approval?.allow_self ?? decision.approval?.allow_self ?? false,
    votes: approval?.votes ?? [],
  };
}

export function isWaiting({ status }: Pick<Invocation, "status">): boolean {
  return status === "pending";
}

/** “Do not ask again” is for an agent's calls that change nothing outside, where one yes is enough. */
export function canBeForGood(invocation: Invocation): boolean {
  return Boolean(invocation.agent_id) && invocation.egress_class !== "write" && termsOf(invocation).quorum <= 1;
}

/** Where several must agree, nobody changes what the others agreed to. */
export function canBeEdited(invocation: Invocation): boolean {
  return termsOf(invocation).quorum <= 1;
}

/** One's own call needs somebody else's yes, unless the rules say otherwise. */
export function needsAnother(invocation: Invocation, principal: string): boolean {
  return invocation.caller === principal && !termsOf(invocation).allowSelf;
}
