import type { Section } from "../search";
import { isObject, without, type Doc } from "./json";

/** A new tool that already does something, on every server: what is built in is always there. */
export function blank(): Doc {
  return {
    name: "",
    version: "1.0.0",
    description: "",
    input_schema: { type: "object", properties: {}, additionalProperties: false },
    execution: { ...STARTS.builtin },
  };
}

export const KINDS = ["builtin", "http", "python", "prompt", "composition", "task"] as const;
export type Kind = (typeof KINDS)[number];

/** What each kind begins with. */
export const STARTS: Record<Kind, Doc> = {
  python: { kind: "python", code: '# Each input is a variable; `input` has them all.\n# The value of the last line is the answer.\n{"inputs": input}\n' },
  http: { kind: "http", method: "GET", url: "https://" },
  prompt: { kind: "prompt", template: "" },
  composition: { kind: "composition", steps: [] },
  task: { kind: "task", title: "" },
  builtin: { kind: "builtin", handler: "render_template", arguments: { template: "Hello {{ name }}!", values: "$input" } },
};

export function kindOf(definition: Doc): string {
  const execution = definition["execution"];
  return isObject(execution) && typeof execution["kind"] === "string" ? execution["kind"] : "";
}

const PLACES: Partial<Record<string, Section>> = {
  name: "identity",
  version: "identity",
  description: "identity",
  category: "identity",
  icon: "identity",
  annotations: "identity",
  long_description: "identity",
  visibility: "visibility",
  tenant_slugs: "visibility",
  required_permission: "visibility",
  permission_policy: "visibility",
  requires_approval: "visibility",
  egress_class: "visibility",
  side_effects: "visibility",
  risk: "visibility",
  input_schema: "schema",
  fields: "schema",
  output_schema: "schema",
  output_sections: "schema",
  execution: "execution",
  secrets: "execution",
  timeout_ms: "execution",
  rate_limit: "execution",
  cache: "execution",
  cache_ttl_s: "execution",
  cache_errors_s: "execution",
};

/** Where in the editor a place of the definition is shown. */
export function sectionOf(pointer: string): Section {
  return PLACES[pointer.split("/")[1] ?? ""] ?? "source";
}

/** What the server adds to a definition when it tells of a tool. */
const TOLD = ["id", "origin", "kind", "lifecycle", "created_at", "updated_at", "also_required", "missing_secrets", "deprecated", "warnings", "override"];

const LONGEST_NAME = 64;
const COPIED = "_copy";

/** A new tool that begins as another one. */
export function copyOf(tool: object): Doc {
  const definition = definitionOf(tool);
  const name = String(definition["name"]).slice(0, LONGEST_NAME - COPIED.length);
  return { ...definition, name: `${name}${COPIED}`, version: "1.0.0" };
}

/** A tool as the server tells of it, as its author would write it. */
export function definitionOf(tool: object): Doc {
  const told = without(tool as Doc, ...TOLD);
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null));
}
