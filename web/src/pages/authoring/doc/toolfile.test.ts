import { describe, expect, test } from "vitest";

import { anySchema, random } from "../schema/schemas.testing";
import { definitionIn, toolFile } from "./toolfile";
import { fromYaml } from "./yamlRead";
import { toYaml } from "./yamlWrite";

const GREET = `---
name: greet
version: 1.0.0
description: Greets a person by name. Use it to say hello; it knows one language.
input_schema:
  type: object
  required: [name]
  properties:
    name: {type: string, maxLength: 80}   # short
execution:
  kind: builtin
  handler: render_template
  arguments: {template: "Hello {{ name }}!", values: "$input"}
examples:
  - input: {name: Ada}
    output: {text: "Hello Ada!"}
---
# Greet

Everything a person should know about it.
`;

test("a file of the examples is read as the server reads it", () => {
  expect(definitionIn(GREET)).toEqual({
    name: "greet",
    version: "1.0.0",
    description: "Greets a person by name. Use it to say hello; it knows one language.",
    input_schema: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 80 } } },
    execution: { kind: "builtin", handler: "render_template", arguments: { template: "Hello {{ name }}!", values: "$input" } },
    examples: [{ input: { name: "Ada" }, output: { text: "Hello Ada!" } }],
    long_description: "# Greet\n\nEverything a person should know about it.",
  });
});

describe("what is written is read as what it was", () => {
  const texts = ["", " ", "a", "true", "null", "1.0", "- x", "a: b", "# no", "line\nline", "code:\n  if x:\n    y\n", "  in", "tab\there", "quote\"'", "ends: ", "\n", "a\n\n", "a\n\nb", "{x}", "[", "*ref", "&a", "%", "@", "é", "💡", "$input.a", "2026-01-01"];
  test.each(texts)("%j", (text) => {
    for (const value of [text, [text], { key: text }, [{ key: text, other: [text] }], { [text]: 1 }]) expect(fromYaml(toYaml(value))).toEqual(value);
  });

  test("many schemas", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const definition = { name: "t", version: "1.0.0", input_schema: anySchema(random(seed)), execution: { kind: "python", code: "x = 1\n{\"a\": x}\n" }, long_description: "# About\n\nText." };
      expect(definitionIn(toolFile(definition))).toEqual(definition);
    }
  });
});

test("folded texts, lists at the key's own column, and values over several lines", () => {
  const text = ["description: >", "  one", "  line", "", "  two", "tags:", "- a", "- b: 1", "  c: 2", "flow: {a: [1,", "  2], b: 'it''s'}", "long: plain text", "  that goes on"].join("\n");
  expect(fromYaml(text)).toEqual({ description: "one line\ntwo\n", tags: ["a", { b: 1, c: 2 }], flow: { a: [1, 2], b: "it's" }, long: "plain text that goes on" });
});

test("what is not understood is refused, with its line", () => {
  expect(() => fromYaml("a: &x 1")).toThrowError(/anchors/);
  expect(() => fromYaml("a: 1\n   b: 2")).toThrowError();
  expect(() => fromYaml("a: 1\na: 2")).toThrowError(/twice/);
  expect(() => definitionIn("no front matter")).toThrowError();
});

test("the code of a Python tool may stand in the prose", () => {
  const file = "---\nname: t\nexecution: {kind: python}\n---\nText\n\n```python\nx = 1\n```\n";
  expect(definitionIn(file)["execution"]).toEqual({ kind: "python", code: "x = 1\n" });
});
