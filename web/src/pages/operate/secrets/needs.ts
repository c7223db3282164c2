// Which tools need which secret, from what the tools declare.
import type { Schemas } from "@/api/client";
import type { Tool } from "@/api/queries";

export type Secret = Schemas["SecretResponse"];

type Needing = Pick<Tool, "name" | "missing_secrets" | "secrets">;

export interface Missing {
  name: string;
  tools: string[];
}

/** The tools that declare each secret, by the secret's name. */
export function toolsBySecret(tools: readonly Needing[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const tool of tools) {
    for (const secret of tool.secrets ?? []) found.set(secret, [...(found.get(secret) ?? []), tool.name]);
  }
  return found;
}

/** What the server says that this caller lacks, the most wanted first. */
export function missingIn(tools: readonly Needing[]): Missing[] {
  const found = new Map<string, string[]>();
  for (const tool of tools) {
    for (const secret of tool.missing_secrets ?? []) found.set(secret, [...(found.get(secret) ?? []), tool.name]);
  }
  return [...found.entries()].map(([name, of]) => ({ name, tools: of })).sort((a, b) => b.tools.length - a.tools.length || a.name.localeCompare(b.name));
}

const WIDTH: Record<string, number> = { user: 0, workspace: 1, tenant: 2 };

/** The secret that calls get when this one is gone: the same name, in the next wider scope. */
export function widerThan(secret: Pick<Secret, "name" | "scope">, all: readonly Secret[]): Secret | undefined {
  return all
    .filter(({ name, scope }) => name === secret.name && (WIDTH[scope] ?? 0) > (WIDTH[secret.scope] ?? 0))
    .sort((a, b) => (WIDTH[a.scope] ?? 0) - (WIDTH[b.scope] ?? 0))[0];
}
