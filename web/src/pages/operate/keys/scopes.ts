import type { Schemas } from "@/api/client";

export type Scope = Schemas["Scope"];

/** In the order of the API's own list; the type makes sure that none is forgotten. */
const ALL: Record<Scope, true> = {
  "tools:read": true,
  "tools:execute": true,
  "tools:write": true,
  "invocations:read": true,
  "invocations:cancel": true,
  "approvals:decide": true,
  "tasks:work": true,
  "agents:read": true,
  "agents:write": true,
  "policies:read": true,
  "policies:write": true,
  "secrets:write": true,
  "people:read": true,
  "people:write": true,
  "audit:read": true,
  "webhooks:write": true,
  "metrics:read": true,
  admin: true,
};
export const SCOPES = Object.keys(ALL) as Scope[];

/** What keys are usually made for. */
export const PRESETS = {
  client: ["tools:read", "tools:execute"],
  approver: ["tools:read", "invocations:read", "approvals:decide"],
  reader: ["tools:read", "invocations:read", "agents:read"],
  builder: ["tools:read", "tools:execute", "tools:write", "invocations:read", "agents:read", "agents:write", "policies:read"],
} as const satisfies Record<string, readonly Scope[]>;
export type Preset = keyof typeof PRESETS;
