// The same answer to several calls that ask exactly the same. Each is decided by itself, with its own digest.
import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { Invocation } from "@/api/queries";
import { notify } from "@/app/notify";

import { decide, refreshDecided, useDecide, type Outcome, type Ruling } from "./decide";
import { useT } from "./messages";

export interface DecidedAll {
  calls: Invocation[];
  ruling: Ruling;
}

export interface Tally {
  decided: number;
  overtaken: number;
  failed: number;
}

function tallied(results: PromiseSettledResult<Outcome>[]): Tally {
  const ended = results.filter((result) => result.status === "fulfilled");
  const overtaken = ended.filter(({ value }) => value.kind === "overtaken").length;
  return { decided: ended.length - overtaken, overtaken, failed: results.length - ended.length };
}

export function useDecideAll(onDone?: (outcome: Outcome) => void) {
  const t = useT();
  const queryClient = useQueryClient();
  const one = useDecide(onDone, true);
  return useMutation({
    mutationFn: async ({ calls, ruling }: DecidedAll) => {
      const [only] = calls;
      if (calls.length === 1 && only) return void (await one.mutateAsync({ invocation: only, ruling }));
      // One after the other: the first refusal of all tells more than a hundred at once.
      const results: PromiseSettledResult<Outcome>[] = [];
      for (const invocation of calls) results.push(...(await Promise.allSettled([decide(invocation, ruling)])));
      const refused = results.find((result) => result.status === "rejected");
      const tally = tallied(results);
      if (refused && tally.failed === calls.length) throw refused.reason;
      for (const result of results) if (result.status === "fulfilled") onDone?.(result.value);
      notify.done(t(ruling.kind === "reject" ? "all.rejected" : "all.approved", { count: tally.decided }), {
        detail: [tally.overtaken > 0 && t("all.overtaken", { count: tally.overtaken }), tally.failed > 0 && t("all.failed", { count: tally.failed }), ruling.kind === "approve" && t("final")]
          .filter(Boolean)
          .join(" "),
      });
    },
    onSettled: () => refreshDecided(queryClient),
    meta: { quiet: true },
  });
}
