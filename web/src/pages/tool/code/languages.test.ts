import { describe, expect, it } from "vitest";

import { LANGUAGES, inputFile, isInline, type CallAsCode } from "./languages";
import { pythonLiteral, shellQuoted } from "./quoting";
import { withoutSecrets } from "./redact";

const call: CallAsCode = { origin: "https://gate.example", tool: "acme/mail@1.0.0", input: { text: "it's \"so\"\n$HOME", n: 1.5, on: true, off: null } };

function written(id: string, given = call): string {
  return LANGUAGES.find((language) => language.id === id)?.write(given) ?? "";
}

describe("a call as code", () => {
  it("quotes for the shell what the shell would take for its own", () => {
    expect(shellQuoted("it's $HOME")).toBe("'it'\\''s $HOME'");
    expect(written("curl")).toContain(`-d '{"input":{"text":"it'\\''s \\"so\\"\\n$HOME","n":1.5,"on":true,"off":null}}'`);
    expect(written("curl")).toContain("'https://gate.example/api/tools/acme%2Fmail%401.0.0/invoke'");
    expect(written("cli")).toContain("tool call 'acme/mail@1.0.0' --input-json '{");
  });

  it("speaks JSON-RPC for MCP", () => {
    expect(JSON.parse(written("mcp"))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "acme/mail@1.0.0", arguments: call.input },
    });
  });

  it("writes Python's own literals", () => {
    expect(pythonLiteral({ a: [true, null, { b: "x" }], c: [], d: {} })).toBe(
      '{\n    "a": [\n        True,\n        None,\n        {\n            "b": "x",\n        },\n    ],\n    "c": [],\n    "d": {},\n}',
    );
    expect(written("python")).toContain('os.environ["TOOLGATE_KEY"]');
  });

  it("reads a long input from a file", () => {
    const long = { ...call, input: { text: "x".repeat(9_000) } };
    expect(isInline(long)).toBe(false);
    for (const id of ["curl", "cli", "typescript", "python"]) {
      expect(written(id, long)).toContain("input.json");
      expect(written(id, long).length).toBeLessThan(1_000);
    }
    expect(JSON.parse(inputFile(long, "curl"))).toEqual({ input: long.input });
    expect(JSON.parse(inputFile(long, "python"))).toEqual(long.input);
  });

  it("names the environment's key and no other", () => {
    for (const language of LANGUAGES.filter(({ id }) => id !== "mcp")) {
      expect(language.write(call)).toContain("TOOLGATE_KEY");
      expect(language.write(call)).not.toMatch(/cookie|csrf|tgk_/i);
    }
  });
});

describe("secrets in an input", () => {
  it("stay out, wherever the schema calls something a password", () => {
    const schema = {
      type: "object",
      properties: {
        apiToken: { type: "string", "x-field": { display: "password" } },
        nested: { type: "object", properties: { pin: { type: "string", format: "password" } } },
        list: { type: "array", items: { type: "object", properties: { key: { writeOnly: true } } } },
        plain: { type: "string" },
      },
      oneOf: [{ properties: { secret: { format: "password" } } }],
    };
    const input = { apiToken: "s3cret", nested: { pin: "1234" }, list: [{ key: "k" }], plain: "shown", secret: "hidden" };
    expect(withoutSecrets(input, schema)).toEqual({
      apiToken: "YOUR_API_TOKEN",
      nested: { pin: "YOUR_PIN" },
      list: [{ key: "YOUR_KEY" }],
      plain: "shown",
      secret: "YOUR_SECRET",
    });
  });
});
