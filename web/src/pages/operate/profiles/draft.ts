// A profile in a form: every limit is a text, and empty means that the tool's own holds.
import type { Schemas } from "@/api/client";

import type { Profile } from "./queries";

export interface ProfileDraft {
  name: string;
  description: string;
  asks: boolean;
  quorum: string;
  allowSelf: boolean;
  independent: boolean;
  cost: string;
  limit: string;
  windowS: string;
  timeoutS: string;
}

export const EMPTY: ProfileDraft = { name: "", description: "", asks: false, quorum: "", allowSelf: false, independent: false, cost: "", limit: "", windowS: "", timeoutS: "" };

const text = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));
const number = (value: string) => (value.trim() === "" ? undefined : Number(value));

export function draftOf(profile: Profile): ProfileDraft {
  return {
    name: profile.name,
    description: profile.description ?? "",
    asks: profile.requires_approval === true,
    quorum: text(profile.approval?.quorum),
    allowSelf: profile.approval?.allow_self === true,
    independent: profile.approval?.independent === true,
    cost: text(profile.cost_limit),
    limit: text(profile.rate_limit?.limit),
    windowS: text(profile.rate_limit?.window_s),
    timeoutS: profile.timeout_ms ? String(profile.timeout_ms / 1_000) : "",
  };
}

/** The whole profile: a replacement leaves out what it does not tighten. */
export function toParams(draft: ProfileDraft): Schemas["ProfileParams"] {
  const [quorum, cost, limit, windowS, timeoutS] = [draft.quorum, draft.cost, draft.limit, draft.windowS, draft.timeoutS].map(number);
  const hasTerms = quorum !== undefined || draft.allowSelf || draft.independent;
  const hasRate = limit !== undefined || windowS !== undefined;
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    requires_approval: draft.asks,
    ...(hasTerms ? { approval: { quorum: quorum ?? 1, allow_self: draft.allowSelf, independent: draft.independent, allow_self_by: null } } : {}),
    ...(cost === undefined ? {} : { cost_limit: cost }),
    // Half a rate is sent as it is: the server says what is wrong with it.
    ...(hasRate ? { rate_limit: { limit: limit ?? 0, window_s: windowS ?? 0 } } : {}),
    ...(timeoutS === undefined ? {} : { timeout_ms: Math.round(timeoutS * 1_000) }),
  };
}
