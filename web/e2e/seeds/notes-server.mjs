// An MCP server over standard input and output, as somebody may have one on the machine: it takes notes, and signs them.
import { createInterface } from "node:readline";

const NOTE = { name: "take_note", description: "Writes a note down.", inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } };

const ANSWERS = {
  initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1.0" } }),
  "tools/list": () => ({ tools: [NOTE] }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text: `${process.env.AUTHOR ?? "nobody"}: ${text}` }] }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = ANSWERS[method];
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
}
