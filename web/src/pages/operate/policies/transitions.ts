import type { Decision, ReplayedDecision } from "./queries";

export interface Transition {
  was: Decision["verdict"];
  wouldBe: Decision["verdict"];
  count: number;
}

/** How many went from what to what, the most frequent first. */
export function transitions(changes: Pick<ReplayedDecision, "was" | "would_be">[]): Transition[] {
  const counts = new Map<string, Transition>();
  for (const { was, would_be: wouldBe } of changes) {
    const key = `${was.verdict} ${wouldBe.verdict}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { was: was.verdict, wouldBe: wouldBe.verdict, count: 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** What a person is told: the evidence that gave the verdict, a rule of the policy before others. */
export function deciding({ verdict, evidence }: Pick<Decision, "verdict" | "evidence">) {
  const strict = evidence.filter((one) => one.verdict === verdict);
  return strict.find(({ rule }) => rule.startsWith("policy:")) ?? strict[0];
}
