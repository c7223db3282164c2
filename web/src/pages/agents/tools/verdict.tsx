import { useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Hand, TriangleAlert } from "lucide-react";

import type { Schemas } from "@/api/client";
import { LookBadge, type Look } from "@/parts/badges/LookBadge";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

import { useT } from "../messages";
import { explainQuery, type Explanation } from "../queries";

export type Verdict = Schemas["Verdict"];

const LOOK: Record<Verdict | "stuck", Look> = {
  allow: { tone: "good", icon: CircleCheck },
  ask: { tone: "warn", icon: Hand },
  deny: { tone: "bad", icon: Ban },
  stuck: { tone: "bad", icon: TriangleAlert },
};

export const isAboutInput = ({ error }: Explanation) => error?.code === "VALIDATION_ERROR";

/** The guard would let it through, but something else is missing: a secret, say. That no input was given is no news here. */
export function outcomeOf(explanation: Explanation): Verdict | "stuck" {
  const { decision, error } = explanation;
  const isStuck = decision.verdict !== "deny" && error != null && !isAboutInput(explanation);
  return isStuck ? "stuck" : decision.verdict;
}

export function OutcomeBadge({ value }: { value: Verdict | "stuck" }) {
  const t = useT();
  return <LookBadge look={LOOK[value]} text={t(`verdict.${value}`)} />;
}

/** What really happens when the agent calls the tool; why is one click away. */
export function VerdictButton({ agent, tool, onOpen, isReachable }: { agent: string; tool: string; onOpen(): void; isReachable: boolean }) {
  const t = useT();
  const { data, isPending } = useQuery(explainQuery(agent, tool));
  if (isPending) return <Skeleton className="h-5 w-20" />;
  const outcome = data && outcomeOf(data);
  return (
    <Button variant="ghost" size="sm" className="-ml-2" tabIndex={isReachable ? 0 : -1} aria-label={`${outcome ? t(`verdict.${outcome}`) : t("explain")}: ${t("explain.of", { tool })}`} onClick={onOpen}>
      {outcome ? <OutcomeBadge value={outcome} /> : t("explain")}
    </Button>
  );
}
