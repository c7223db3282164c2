// A policy as the server keeps it, and as somebody edits it: examples are texts until they can be read.
import type { Schemas } from "@/api/client";

export type Verdict = Schemas["Verdict"];
export type Egress = Schemas["EgressClass"];

export interface Rule {
  id: string;
  description?: string;
  tools?: string[];
  agents?: string[];
  egress?: Egress[];
  when?: string;
  verdict: Verdict;
  because: string;
  examples: { match?: unknown[]; no_match?: unknown[] };
}

export interface PolicyDocument {
  rules: Rule[];
}

export interface RuleDraft {
  /** For the page only: an id may be empty, or twice there, while somebody writes. */
  key: string;
  id: string;
  description: string;
  tools: string;
  agents: string[];
  egress: Egress[];
  when: string;
  verdict: Verdict;
  because: string;
  match: string[];
  no_match: string[];
  /** Members that no rule has. They go to the server all the same, which says so. */
  unknown: Record<string, unknown>;
}

let made = 0;
export const nextKey = (): string => `rule-${String((made += 1))}`;

const example = (value: unknown) => JSON.stringify(value);
const list = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const KNOWN = new Set(["id", "description", "tools", "agents", "egress", "when", "verdict", "because", "examples"]);

export function draftOf(rule: Rule): RuleDraft {
  return {
    key: nextKey(),
    id: rule.id ?? "",
    description: rule.description ?? "",
    tools: (rule.tools ?? []).join(", "),
    agents: rule.agents ?? [],
    egress: rule.egress ?? [],
    when: rule.when ?? "",
    verdict: rule.verdict ?? "ask",
    because: rule.because ?? "",
    match: (rule.examples?.match ?? []).map(example),
    no_match: (rule.examples?.no_match ?? []).map(example),
    unknown: Object.fromEntries(Object.entries(rule).filter(([name]) => !KNOWN.has(name))),
  };
}

export const BLANK: Rule = { id: "", verdict: "ask", because: "", examples: { match: [{}], no_match: [{}] } };

/** A text that is not JSON, and where. */
export interface Unreadable {
  place: string;
  reason: string;
}

/** What the server would be sent. Nothing is sent while an example cannot be read. */
export function toDocument(drafts: RuleDraft[]): { document: PolicyDocument; unreadable: Unreadable[] } {
  const unreadable: Unreadable[] = [];
  const read = (text: string, place: string): unknown => {
    try {
      return JSON.parse(text.trim() === "" ? "{}" : text) as unknown;
    } catch (error) {
      unreadable.push({ place, reason: error instanceof Error ? error.message : String(error) });
      return {};
    }
  };
  const rules = drafts.map((draft, index): Rule => {
    const examples = (kind: "match" | "no_match") => draft[kind].map((text, number) => read(text, `rules[${String(index)}].examples.${kind}[${String(number)}]`));
    const tools = list(draft.tools);
    return {
      id: draft.id.trim(),
      ...(draft.description.trim() === "" ? {} : { description: draft.description.trim() }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(draft.agents.length === 0 ? {} : { agents: draft.agents }),
      ...(draft.egress.length === 0 ? {} : { egress: draft.egress }),
      ...(draft.when.trim() === "" ? {} : { when: draft.when.trim() }),
      verdict: draft.verdict,
      because: draft.because.trim(),
      examples: { match: examples("match"), no_match: examples("no_match") },
      ...draft.unknown,
    };
  });
  return { document: { rules }, unreadable };
}

export const asDocument = (value: unknown): PolicyDocument => {
  const { rules } = (value ?? {}) as { rules?: unknown };
  return { rules: Array.isArray(rules) ? (rules as Rule[]) : [] };
};

export const spelled = (document: PolicyDocument): string => JSON.stringify(document);

/** The same content in the same spelling, however its members were ordered. */
export const settled = (document: PolicyDocument): PolicyDocument => toDocument(document.rules.map(draftOf)).document;

export interface Difference {
  added: string[];
  removed: string[];
  changed: string[];
}

/** Which rules come, go and change from one document to another. */
export function differenceOf(before: PolicyDocument, after: PolicyDocument): Difference {
  const text = (rule: Rule) => JSON.stringify(rule);
  const [old, fresh] = [new Map(settled(before).rules.map((rule) => [rule.id, text(rule)])), new Map(settled(after).rules.map((rule) => [rule.id, text(rule)]))];
  return {
    added: [...fresh.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !fresh.has(id)),
    changed: [...fresh.entries()].filter(([id, rule]) => old.has(id) && old.get(id) !== rule).map(([id]) => id),
  };
}
