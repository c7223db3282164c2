// Values as YAML, in the plainest spelling that means the same: what could be read as something else stands in quotes.
import { isObject } from "./json";

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$ .,/()'+*=<>@^-]*$/;
const WORDS = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(" ") && !WORDS.has(text.toLowerCase());
}

function scalar(value: unknown): string {
  if (typeof value === "string") return isPlain(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? "null";
}

/** Characters that a block would not keep. */
const UNUSUAL = /[^\n -~\u00a0-\u2027\u202a-\uffff]/;

/** A text of several lines as a block, where that keeps every character. */
function block(text: string, indent: string): string | undefined {
  if (!text.includes("\n") || UNUSUAL.test(text) || /^[ \n]/.test(text) || text.endsWith("\n\n")) return undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  return `${text.endsWith("\n") ? "|" : "|-"}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}`;
}

export function toYaml(value: unknown, indent = ""): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return value.map((item: unknown) => `${indent}- ${inItem(item, deeper)}`).join("\n");
  }
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    if (entries.length === 0) return "{}";
    return entries.map(([key, member]) => `${indent}${isPlain(key) ? key : JSON.stringify(key)}:${inMember(member, deeper)}`).join("\n");
  }
  return scalar(value);
}

const isNested = (value: unknown) => (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);

function inMember(value: unknown, indent: string): string {
  if (isNested(value)) return `\n${toYaml(value, indent)}`;
  return ` ${(typeof value === "string" ? block(value, indent) : undefined) ?? toYaml(value, indent)}`;
}

function inItem(value: unknown, indent: string): string {
  if (isNested(value)) return toYaml(value, indent).slice(indent.length);
  return (typeof value === "string" ? block(value, indent) : undefined) ?? toYaml(value, indent);
}
