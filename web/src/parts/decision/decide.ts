// The one way to answer “may this call run?”. An answer carries the digest of what was seen, so it counts for nothing else; when
// somebody else was faster, that is told as what it is and not as a failure.
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { asProblem } from "@/api/problem";
import { keys, type Invocation, type Me } from "@/api/queries";
import { notify } from "@/app/notify";
import { useMe } from "@/app/session";

import { kindOf, nameOf } from "../people/principal";
import { useT as usePeopleT } from "../people/messages";
import { useT } from "./messages";
import { isWaiting, termsOf } from "./terms";

export type Ruling = { kind: "approve"; always?: boolean; confirmSelf?: boolean; input?: Record<string, unknown> } | { kind: "reject"; reason: string };

export interface Outcome {
  /** `overtaken`: it was decided before, by somebody else or by time. `voted`: heard, and more must agree. */
  kind: "approved" | "voted" | "rejected" | "overtaken";
  invocation: Invocation;
}

export async function decide(invocation: Invocation, ruling: Ruling): Promise<Outcome> {
  const params = { path: { id: invocation.id } };
  const digest = invocation.approval_digest ?? undefined;
  try {
    if (ruling.kind === "reject") {
      const after = await data(api.POST("/api/invocations/{id}/reject", { params, body: { reason: ruling.reason, digest } }));
      return { kind: "rejected", invocation: after };
    }
    const { input, always, confirmSelf } = ruling;
    const body = { digest, ...(input && { input }), ...(always && { always }), ...(confirmSelf && { confirm_self: true }) };
    const after = await data(api.POST("/api/invocations/{id}/approve", { params, body }));
    return { kind: isWaiting(after) ? "voted" : "approved", invocation: after };
  } catch (thrown) {
    if (!asProblem(thrown).isConflict) throw thrown;
    const now = await data(api.GET("/api/invocations/{id}", { params }));
    // It still waits: then the conflict is about something else, and the server's own words say what.
    if (isWaiting(now)) throw thrown;
    return { kind: "overtaken", invocation: now };
  }
}

export function refreshDecided(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([keys.approvals, keys.invocations, keys.runs].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export interface Decided {
  invocation: Invocation;
  ruling: Ruling;
}

/** Decides, tells what came of it, and refreshes what shows the call. With `quiet` the caller shows the failure itself. */
export function useDecide(onDone?: (outcome: Outcome) => void, quiet = false) {
  const queryClient = useQueryClient();
  const tell = useTell();
  return useMutation({
    mutationFn: ({ invocation, ruling }: Decided) => decide(invocation, ruling),
    onSuccess(outcome) {
      void tell(outcome);
      onDone?.(outcome);
    },
    onSettled: () => refreshDecided(queryClient),
    meta: { quiet },
  });
}

function useTell(): (outcome: Outcome) => Promise<void> {
  const t = useT();
  const people = usePeopleT();
  const me: Me = useMe();
  const queryClient = useQueryClient();
  return async ({ kind, invocation }) => {
    const tool = invocation.tool_name;
    switch (kind) {
      case "approved":
        return notify.done(t("done.approved", { tool }), { detail: t("final") });
      case "rejected":
        return notify.done(t("done.rejected", { tool }), { detail: t("done.rejected.detail") });
      case "voted": {
        const { quorum, votes } = termsOf(invocation);
        return notify.done(t("done.voted", { tool }), { detail: t("done.voted.detail", { votes: votes.length, quorum }) });
      }
      case "overtaken": {
        const by = invocation.approval_decided_by ?? "";
        const who = by === "" ? people("somebody") : ((await nameOf(queryClient, me, by)) ?? people(kindOf(by)));
        const verb = invocation.status === "cancelled" && by === "" ? "withdrawn" : invocation.approval_status === "rejected" ? "rejected" : "approved";
        return notify.info(t(`overtaken.${verb}`, { who, tool }), { detail: t("overtaken.detail") });
      }
    }
  };
}
