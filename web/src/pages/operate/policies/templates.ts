// Rules to begin with. A story puts each of them in force, so that none can go stale.
import type { Rule } from "./document";

const NAMES = ["night", "amount", "recipient", "critical", "mcp", "weekend"] as const;
type Name = (typeof NAMES)[number];

export interface Template {
  title: string;
  rule: Rule;
}

const RULES: Record<Name, Omit<Rule, "because">> = {
  night: {
    id: "quiet-hours",
    egress: ["write"],
    when: "time.hour >= 22 || time.hour < 6",
    verdict: "ask",
    examples: { match: [{ time: { hour: 23 } }, { time: { hour: 2 } }], no_match: [{ time: { hour: 9 } }] },
  },
  amount: {
    id: "large-amounts",
    when: "has(input.amount) && double(input.amount) > 1000.0",
    verdict: "ask",
    examples: { match: [{ input: { amount: 2500 } }], no_match: [{ input: { amount: 20 } }, { input: {} }] },
  },
  recipient: {
    id: "mail-outside",
    tools: ["send_*"],
    when: "has(input.to) && !input.to.endsWith('@example.org')",
    verdict: "ask",
    examples: { match: [{ input: { to: "kim@elsewhere.example" } }], no_match: [{ input: { to: "kim@example.org" } }] },
  },
  critical: {
    id: "no-critical-by-agents",
    when: "agent != null && tool.risk == 'critical'",
    verdict: "deny",
    examples: { match: [{ agent: { handle: "researcher" }, tool: { risk: "critical" } }], no_match: [{ agent: { handle: "researcher" }, tool: { risk: "low" } }, { agent: null, tool: { risk: "critical" } }] },
  },
  mcp: {
    id: "mcp-only-reads",
    when: "surface == 'mcp' && tool.egress_class == 'write'",
    verdict: "deny",
    examples: { match: [{ surface: "mcp", tool: { egress_class: "write" } }], no_match: [{ surface: "mcp", tool: { egress_class: "read_only" } }, { surface: "rest", tool: { egress_class: "write" } }] },
  },
  weekend: {
    id: "calm-weekends",
    egress: ["write"],
    when: "time.weekday >= 6",
    verdict: "deny",
    examples: { match: [{ time: { weekday: 7 } }], no_match: [{ time: { weekday: 3 } }] },
  },
};

export function templates(t: (key: `template.${Name}` | `template.${Name}.because`) => string): Template[] {
  return NAMES.map((name) => {
    const { id, ...rule } = RULES[name];
    return { title: t(`template.${name}`), rule: { id, ...rule, because: t(`template.${name}.because`) } };
  });
}
