import { expect, test } from "vitest";

import { draftOf, EMPTY, EMPTY_OAUTH, toParams, toPatch } from "./draft";
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
