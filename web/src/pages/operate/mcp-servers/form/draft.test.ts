import { expect, test } from "vitest";

import { draftOf, EMPTY, EMPTY_OAUTH, isElsewhere, toParams, toPatch } from "./draft";
import type { McpServer } from "../queries";

test("what was not said is not sent, so that the server's own default holds", () => {
  expect(toParams({ ...EMPTY, name: " crm ", url: " https://crm.example/mcp " })).toEqual({
    name: "crm",
    transport: { kind: "http", url: "https://crm.example/mcp", headers: {} },
  });
});

test("no prefix is another thing than a prefix that was not said", () => {
  expect(toParams({ ...EMPTY, hasPrefix: false, prefix: "old" }).prefix).toBe("");
  expect(toParams({ ...EMPTY, hasPrefix: true }).prefix).toBeUndefined();
});

test("arguments are lines, and may hold spaces; names without text are dropped", () => {
  const { transport } = toParams({ ...EMPTY, kind: "stdio", command: "uvx", args: "mcp-server-git\n--repository\n/srv/my repo\n", env: [{ name: "", value: "x" }, { name: "TOKEN", value: "{$secret.T}" }] });
  expect(transport).toEqual({ kind: "stdio", command: "uvx", args: ["mcp-server-git", "--repository", "/srv/my repo"], env: { TOKEN: "{$secret.T}" } });
});

test("a program has no login, whatever was chosen before", () => {
  expect(toParams({ ...EMPTY, kind: "stdio", oauth: EMPTY_OAUTH }).oauth).toBeUndefined();
  expect(toParams({ ...EMPTY, oauth: { ...EMPTY_OAUTH, scopes: " a  b " } }).oauth).toEqual({ per: "tenant", grant: "authorization_code", scopes: ["a", "b"] });
});

test("a server comes back as it was shown", () => {
  const server = { name: "crm", prefix: "", transport: { kind: "http", url: "https://crm.example/mcp", headers: { Authorization: "Bearer {$secret.CRM}" } }, egress_class: "read_only", risk: "low", timeout_ms: 2500 } as unknown as McpServer;
  const draft = draftOf(server);
  expect(draft).toMatchObject({ hasPrefix: false, timeoutS: "2.5", oauth: undefined });
  expect(toPatch(draft)).toEqual({ transport: server.transport, oauth: null, egress_class: "read_only", risk: "low", timeout_ms: 2500 });
});

test("another address, header or login is another place; the order of headers is not", () => {
  const at = (url: string, headers: Record<string, string> = {}) => ({ transport: { kind: "http" as const, url, headers } });
  expect(isElsewhere(at("https://a.example"), at("https://b.example"))).toBe(true);
  expect(isElsewhere(at("https://a.example", { x: "1" }), at("https://a.example", { x: "2" }))).toBe(true);
  expect(isElsewhere(at("https://a.example", { x: "1", y: "2" }), at("https://a.example", { y: "2", x: "1" }))).toBe(false);
  expect(isElsewhere(at("https://a.example"), { ...at("https://a.example"), oauth: {} })).toBe(true);
});
