import { indented, pythonLiteral, shellQuoted } from "./quoting";

/** A call, as code says it. The key is always the environment's: code is pasted into tickets. */
export interface CallAsCode {
  origin: string;
  /** `name`, or `name@version`. */
  tool: string;
  input: unknown;
}

/** Longer inputs are read from a file: a command line of a megabyte helps nobody. */
const MAX_INLINE_CHARS = 8_000;

export function isInline(call: CallAsCode): boolean {
  return JSON.stringify(call.input).length <= MAX_INLINE_CHARS;
}

export const INPUT_FILE = "input.json";

/** `{"input": …}` says exactly what is meant, also where the input has a member of that name. */
function body(call: CallAsCode): string {
  return JSON.stringify({ input: call.input });
}

function path(call: CallAsCode): string {
  return `/api/tools/${encodeURIComponent(call.tool)}/invoke`;
}

function curl(call: CallAsCode): string {
  const data = isInline(call) ? shellQuoted(body(call)) : `@${INPUT_FILE}`;
  return [
    `curl -sS ${shellQuoted(call.origin + path(call))} \\`,
    `  -H "Authorization: Bearer $TOOLGATE_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${data}`,
  ].join("\n");
}

function cli(call: CallAsCode): string {
  const input = isInline(call) ? shellQuoted(JSON.stringify(call.input)) : `@${INPUT_FILE}`;
  return [
    `# with TOOLGATE_KEY in the environment`,
    `toolgate --url ${shellQuoted(call.origin)} \\`,
    `  tool call ${shellQuoted(call.tool)} --input-json ${input}`,
  ].join("\n");
}

function mcp(call: CallAsCode): string {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: call.tool, arguments: call.input } };
  return JSON.stringify(message, null, 2);
}

function typescript(call: CallAsCode): string {
  const value = isInline(call)
    ? indented(JSON.stringify(call.input, null, 2), 2)
    : `JSON.parse(await readFile(${JSON.stringify(INPUT_FILE)}, "utf8"))`;
  return [
    ...(isInline(call) ? [] : [`import { readFile } from "node:fs/promises";`, ``]),
    `const answer = await fetch(${JSON.stringify(call.origin + path(call))}, {`,
    `  method: "POST",`,
    `  headers: {`,
    "    Authorization: `Bearer ${process.env.TOOLGATE_KEY}`,",
    `    "Content-Type": "application/json",`,
    `  },`,
    `  body: JSON.stringify({ input: ${value} }),`,
    `});`,
    `const envelope = await answer.json();`,
    `if (!answer.ok || envelope.error) throw new Error(envelope.error?.message ?? envelope.detail);`,
    `console.log(envelope.output);`,
  ].join("\n");
}

function python(call: CallAsCode): string {
  const value = isInline(call) ? pythonLiteral(call.input) : `json.load(open(${JSON.stringify(INPUT_FILE)}))`;
  return [
    `import json`,
    `import os`,
    `import urllib.request`,
    ``,
    `tool_input = ${value}`,
    `request = urllib.request.Request(`,
    `    ${JSON.stringify(call.origin + path(call))},`,
    `    data=json.dumps({"input": tool_input}).encode(),`,
    `    headers={`,
    `        "Authorization": "Bearer " + os.environ["TOOLGATE_KEY"],`,
    `        "Content-Type": "application/json",`,
    `    },`,
    `)`,
    `with urllib.request.urlopen(request) as answer:`,
    `    envelope = json.load(answer)`,
    `print(json.dumps(envelope.get("output", envelope.get("error")), indent=2))`,
  ].join("\n");
}

export const LANGUAGES = [
  { id: "curl", label: "curl", write: curl },
  { id: "cli", label: "CLI", write: cli },
  { id: "mcp", label: "MCP", write: mcp },
  { id: "typescript", label: "TypeScript", write: typescript },
  { id: "python", label: "Python", write: python },
] as const;

export type LanguageId = (typeof LANGUAGES)[number]["id"];

/** What the file beside the code holds: curl posts it as it is, the others wrap it. */
export function inputFile(call: CallAsCode, language: LanguageId): string {
  return language === "curl" ? body(call) : JSON.stringify(call.input, null, 2);
}
