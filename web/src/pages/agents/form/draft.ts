// An agent as it is being written: what can be typed wrongly is text here, and becomes a document when it is saved.
import type { Schemas } from "@/api/client";
import type { Agent } from "@/api/queries";
import { numberText, typedNumber } from "@/parts/form/numbers";
import { isObject } from "@/parts/json/values";

export interface Quota {
  action: string;
  count: string;
}

export interface Draft {
  handle: string;
  display_name: string;
  bio: string;
  avatar_url: string;
  persona: string;
  model: string;
  temperature: string;
  max_output_tokens: string;
  owner: string;
  workspace_id: string;
  tool_groups: string[];
  custom_tools: string[];
  /** None: every tool that it has. */
  enabled_tools: string[] | undefined;
  max_iterations: string;
  max_tool_calls: string;
  max_budget: string;
  side_effects: "" | Schemas["EgressClass"];
  /** None: every action that its tools allow. */
  allowed: string[] | undefined;
  blocked: string[];
  quotas: Quota[];
  metadata: string;
}

/** The keys of a draft that hold one text. */
export type TextKey = { [Key in keyof Draft]: Draft[Key] extends string ? Key : never }[keyof Draft];
export type Wrong = Partial<Record<keyof Draft, "required" | "number" | "json" | "quota">>;


export function draftOf(agent: Partial<Agent> = {}): Draft {
  const guard: Partial<Agent["guard"]> = agent.guard ?? {};
  const actions: Partial<NonNullable<Agent["actions"]>> = agent.actions ?? {};
  const parameters: Partial<NonNullable<Agent["model_parameters"]>> = agent.model_parameters ?? {};
  const metadata = agent.metadata ?? {};
  return {
    handle: agent.handle ?? "",
    display_name: agent.display_name ?? "",
    bio: agent.bio ?? "",
    avatar_url: agent.avatar_url ?? "",
    persona: agent.persona ?? "",
    model: agent.model ?? "",
    temperature: numberText(parameters.temperature),
    max_output_tokens: numberText(parameters.max_output_tokens),
    owner: agent.owner ?? "",
    workspace_id: agent.workspace_id ?? "",
    tool_groups: agent.tool_groups ?? [],
    custom_tools: agent.custom_tools ?? [],
    enabled_tools: guard.enabled_tools ?? undefined,
    max_iterations: numberText(guard.max_iterations),
    max_tool_calls: numberText(guard.max_tool_calls),
    max_budget: numberText(guard.max_budget),
    side_effects: guard.side_effects ?? "",
    allowed: actions.allowed ?? undefined,
    blocked: actions.blocked ?? [],
    quotas: Object.entries(actions.daily_quota ?? {}).map(([action, count]) => ({ action, count: String(count) })),
    metadata: Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata, null, 2),
  };
}

const NUMBERS = ["temperature", "max_output_tokens", "max_iterations", "max_tool_calls", "max_budget"] as const;

/** What cannot be sent as it stands. Whether it is right otherwise, the server says. */
export function wrongIn(draft: Draft): Wrong {
  const wrong: Wrong = {};
  if (draft.display_name.trim() === "") wrong.display_name = "required";
  if (draft.handle.trim() === "") wrong.handle = "required";
  for (const key of NUMBERS) if (!Number.isFinite(typedNumber(draft[key]) ?? 0)) wrong[key] = "number";
  if (draft.quotas.some(({ action, count }) => action.trim() === "" || count.trim() === "" || !Number.isInteger(Number(count)))) wrong.quotas = "quota";
  if (draft.metadata.trim() !== "" && !isJsonObject(draft.metadata)) wrong.metadata = "json";
  return wrong;
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

const text = (value: string) => (value.trim() === "" ? null : value);
/** Absent is what the types of the API do not know and the server does: “as you say”. */
const said = <T extends object>(value: { [Key in keyof T]: T[Key] | undefined }) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

export type Document = Schemas["CreateAgentParams"] & Pick<Agent, "model_parameters">;

/** What the API is sent. */
export function documentOf(draft: Draft): Document {
  return {
    handle: draft.handle.trim().replace(/^@/, ""),
    display_name: draft.display_name.trim(),
    bio: text(draft.bio),
    avatar_url: text(draft.avatar_url),
    persona: text(draft.persona),
    model: text(draft.model.trim()),
    model_parameters: said<NonNullable<Agent["model_parameters"]>>({ temperature: typedNumber(draft.temperature), max_output_tokens: typedNumber(draft.max_output_tokens) }),
    owner: text(draft.owner),
    workspace_id: text(draft.workspace_id),
    tool_groups: draft.tool_groups,
    custom_tools: draft.custom_tools,
    guard: said<Agent["guard"]>({
      enabled_tools: draft.enabled_tools,
      max_iterations: typedNumber(draft.max_iterations),
      max_tool_calls: typedNumber(draft.max_tool_calls),
      max_budget: typedNumber(draft.max_budget),
      side_effects: draft.side_effects === "" ? undefined : draft.side_effects,
    }),
    actions: said<NonNullable<Agent["actions"]>>({
      allowed: draft.allowed,
      blocked: draft.blocked,
      daily_quota: Object.fromEntries(draft.quotas.map(({ action, count }) => [action.trim(), Number(count)])),
    }),
    metadata: draft.metadata.trim() === "" ? {} : (JSON.parse(draft.metadata) as Record<string, unknown>),
  };
}

/** Only the keys that differ, so that what somebody else changed meanwhile stays. The handle never changes. */
export function patchOf(before: Draft, now: Draft): Record<string, unknown> {
  const [old, next] = [documentOf(before), documentOf(now)] as [Record<string, unknown>, Record<string, unknown>];
  return Object.fromEntries(Object.entries(next).filter(([key, value]) => key !== "handle" && JSON.stringify(value) !== JSON.stringify(old[key])));
}

/** A handle out of a name: `Invoice Clerk` becomes `invoice-clerk`. */
export function handleOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9._]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
}
