// What somebody writes into the form, and what the API takes and gives.
import type { Schemas } from "@/api/client";
import { canonical } from "@/parts/diff/canonical";

import type { McpServer } from "../queries";

export interface Pair {
  name: string;
  value: string;
}

export interface OauthDraft {
  per: Schemas["OauthOwner"];
  grant: Schemas["OauthGrant"];
  clientId: string;
  clientSecret: string;
  scopes: string;
}

export interface ServerDraft {
  name: string;
  kind: "http" | "stdio";
  url: string;
  headers: Pair[];
  command: string;
  args: string;
  cwd: string;
  env: Pair[];
  /** Absent: it wants no login. */
  oauth: OauthDraft | undefined;
  /** Empty: not said. */
  egress: Schemas["EgressClass"] | "";
  risk: Schemas["Risk"] | "";
  prefix: string;
  hasPrefix: boolean;
  timeoutS: string;
  review: boolean;
}

export const EMPTY_OAUTH: OauthDraft = { per: "tenant", grant: "authorization_code", clientId: "", clientSecret: "", scopes: "" };

export const EMPTY: ServerDraft = {
  name: "",
  kind: "http",
  url: "",
  headers: [],
  command: "",
  args: "",
  cwd: "",
  env: [],
  oauth: undefined,
  egress: "",
  risk: "",
  prefix: "",
  hasPrefix: true,
  timeoutS: "",
  review: false,
};

const pairsOf = (named: Record<string, string> | undefined): Pair[] => Object.entries(named ?? {}).map(([name, value]) => ({ name, value }));
const namedOf = (pairs: Pair[]) => Object.fromEntries(pairs.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), value]));
const words = (text: string) => text.split(/\s+/).filter(Boolean);
const lines = (text: string) => text.split("\n").filter((line) => line !== "");

export function draftOf(server: McpServer): ServerDraft {
  const { transport, oauth } = server;
  return {
    ...EMPTY,
    name: server.name,
    kind: transport.kind,
    ...(transport.kind === "http"
      ? { url: transport.url, headers: pairsOf(transport.headers) }
      : { command: transport.command, args: (transport.args ?? []).join("\n"), cwd: transport.cwd ?? "", env: pairsOf(transport.env) }),
    oauth: oauth
      ? {
          per: oauth.per ?? "tenant",
          grant: oauth.grant ?? "authorization_code",
          clientId: oauth.client_id ?? "",
          clientSecret: oauth.client_secret ?? "",
          scopes: (oauth.scopes ?? []).join(" "),
        }
      : undefined,
    egress: server.egress_class ?? "",
    risk: server.risk ?? "",
    prefix: server.prefix ?? "",
    hasPrefix: server.prefix !== "",
    timeoutS: server.timeout_ms ? String(server.timeout_ms / 1_000) : "",
  };
}

function transportOf(draft: ServerDraft): Schemas["UpstreamTransport"] {
  if (draft.kind === "http") return { kind: "http", url: draft.url.trim(), headers: namedOf(draft.headers) };
  const cwd = draft.cwd.trim();
  return { kind: "stdio", command: draft.command.trim(), args: lines(draft.args), env: namedOf(draft.env), ...(cwd === "" ? {} : { cwd }) };
}

function oauthOf({ kind, oauth }: ServerDraft): Schemas["UpstreamOauth"] | undefined {
  if (!oauth || kind !== "http") return undefined;
  const scopes = words(oauth.scopes);
  return {
    per: oauth.per,
    grant: oauth.grant,
    ...(oauth.clientId.trim() === "" ? {} : { client_id: oauth.clientId.trim() }),
    ...(oauth.clientSecret.trim() === "" ? {} : { client_secret: oauth.clientSecret.trim() }),
    ...(scopes.length === 0 ? {} : { scopes }),
  };
}

function timeoutOf({ timeoutS }: ServerDraft): number | undefined {
  const seconds = Number(timeoutS);
  return timeoutS.trim() === "" || Number.isNaN(seconds) ? undefined : Math.round(seconds * 1_000);
}

/** A new server: what was not said is left out, and the server says what holds. */
export function toParams(draft: ServerDraft): Schemas["McpServerParams"] {
  const prefix = draft.prefix.trim();
  const oauth = oauthOf(draft);
  const timeout = timeoutOf(draft);
  return {
    name: draft.name.trim(),
    transport: transportOf(draft),
    ...(oauth ? { oauth } : {}),
    ...(draft.egress === "" ? {} : { egress_class: draft.egress }),
    ...(draft.risk === "" ? {} : { risk: draft.risk }),
    ...(draft.hasPrefix ? (prefix === "" ? {} : { prefix }) : { prefix: "" }),
    ...(timeout === undefined ? {} : { timeout_ms: timeout }),
  };
}

/** A server that is there: `null` takes back what was said. Name and prefix stay. */
export function toPatch(draft: ServerDraft): Schemas["UpdateMcpServerParams"] {
  return {
    transport: transportOf(draft),
    oauth: oauthOf(draft) ?? null,
    egress_class: draft.egress === "" ? null : draft.egress,
    risk: draft.risk === "" ? null : draft.risk,
    timeout_ms: timeoutOf(draft) ?? null,
  };
}

/** Whether it is reached otherwise than before. */
export function isElsewhere(before: Pick<McpServer, "transport" | "oauth">, after: Pick<McpServer, "transport" | "oauth">): boolean {
  const spelled = ({ transport, oauth }: Pick<McpServer, "transport" | "oauth">) => canonical({ transport, oauth: oauth ?? null });
  return spelled(before) !== spelled(after);
}
