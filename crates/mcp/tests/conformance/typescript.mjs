// A client with the official TypeScript SDK. It ends with an error where the server is not as it must be.
// Takes from its environment: TOOLGATE_URL, TOOLGATE_KEY.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";

const { TOOLGATE_URL: url, TOOLGATE_KEY: key } = process.env;
const headers = { authorization: `Bearer ${key}` };

const client = new Client({ name: "typescript", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
assert.equal(client.getServerVersion().name, "toolgate");

// Lists: page after page, sorted, every schema one that a validator takes.
async function listTools() {
  const tools = [];
  let pages = 0;
  let cursor;
  do {
    const page = await client.listTools({ cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  return { tools, pages };
}
const { tools, pages } = await listTools();
assert.ok(pages > 1, "the list has pages");
const names = tools.map((tool) => tool.name);
assert.deepEqual(names, [...new Set(names)].sort(), "sorted by name, each once");
const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const tool of tools) {
  assert.equal(tool.inputSchema.type, "object", tool.name);
  ajv.compile(tool.inputSchema);
  if (tool.outputSchema) ajv.compile(tool.outputSchema);
}

// Calls: what is structured and what is text are the same.
const hashed = await client.callTool({ name: "hash_text", arguments: { text: "abc" } });
assert.notEqual(hashed.isError, true);
assert.equal(hashed.structuredContent.digest, createHash("sha256").update("abc").digest("hex"));
assert.deepEqual(JSON.parse(hashed.content[0].text), hashed.structuredContent);

// Failures: of a tool a result with the stable code, of the protocol an error.
const failed = await client.callTool({ name: "calculate", arguments: { expression: "1/(2-2)" } });
assert.equal(failed.isError, true);
assert.match(failed.content[0].text, /^VALIDATION_ERROR/);
await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), { code: ErrorCode.InvalidParams });

// Progress: it goes up while the call runs.
const seen = [];
const waited = await client.callTool({ name: "wait", arguments: { ms: 60, every_ms: 20 } }, undefined, {
  onprogress: ({ progress }) => seen.push(progress),
});
assert.deepEqual(waited.structuredContent, { waited_ms: 60 });
assert.equal(seen.length, 3, `progress: ${seen}`);
assert.deepEqual(seen, seen.toSorted((a, b) => a - b));

// Cancelling: as soon as the call is known to run. The server's record is looked at by whoever started this.
const stop = new AbortController();
const stopped = client.callTool({ name: "wait", arguments: { ms: 60_000, every_ms: 10 } }, undefined, {
  onprogress: () => stop.abort("enough"),
  signal: stop.signal,
});
await assert.rejects(stopped, /enough/);

// Changes: the client hears of a tool that somebody registers meanwhile.
const told = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
const definition = {
  name: "made_meanwhile",
  version: "1.0.0",
  description: "Waits, under another name",
  input_schema: { type: "object" },
  egress_class: "read_only",
  execution: { kind: "builtin", handler: "wait" },
};
const registered = await fetch(`${url}/api/tools`, {
  method: "POST",
  headers: { ...headers, "content-type": "application/json" },
  body: JSON.stringify(definition),
});
assert.ok(registered.ok, `${registered.status}: ${await registered.text()}`);
await told;
const after = await listTools();
assert.ok(after.tools.some((tool) => tool.name === "made_meanwhile"));

await client.close();
