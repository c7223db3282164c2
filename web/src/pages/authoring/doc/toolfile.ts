// TOOL.md: front matter in YAML, then prose. The same file that `toolgate tool register --file` reads.
import { isObject, without, type Doc } from "./json";
import { fromYaml } from "./yamlRead";
import { toYaml } from "./yamlWrite";

export function toolFile(definition: Doc): string {
  const prose = definition["long_description"];
  const body = typeof prose === "string" && prose.trim() !== "" ? `${prose.trim()}\n` : "";
  return `---\n${toYaml(without(definition, "long_description"))}\n---\n${body}`;
}

/** A definition from a TOOL.md, or from JSON. What is wrong is thrown, in words. */
export function definitionIn(text: string): Doc {
  const whole = text.replace(/^\uFEFF/, "");
  if (whole.trimStart().startsWith("{")) return asDefinition(JSON.parse(whole));
  const match = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(whole);
  if (!match) throw new Error("---");
  const definition = asDefinition(fromYaml(match[1] ?? ""));
  const prose = (match[2] ?? "").trim();
  return withCode(prose === "" ? definition : { ...definition, long_description: prose }, prose);
}

function asDefinition(value: unknown): Doc {
  if (!isObject(value)) throw new Error("{}");
  return value;
}

/** The code of a Python tool may stand in the prose, in a fenced block. */
function withCode(definition: Doc, prose: string): Doc {
  const execution = definition["execution"];
  const fenced = /^```python[ \t]*\r?\n([\s\S]*?)^```[ \t]*$/m.exec(prose);
  if (!isObject(execution) || execution["kind"] !== "python" || fenced?.[1] === undefined) return definition;
  return { ...definition, execution: { ...execution, code: fenced[1] } };
}
