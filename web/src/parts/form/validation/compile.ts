import { dereference, validate, type Schema as CfSchema, type SchemaDraft } from "@cfworker/json-schema";

import { isObject } from "../../json/values";
import { checkFormat, knownFormat } from "./formats";

export type Schema = Record<string, unknown>;

/** A schema that is ready for use: a copy of its own, with every reference resolved. */
export interface Compiled {
  root: Schema | boolean;
  draft: SchemaDraft;
  lookup: Record<string, CfSchema | boolean>;
}

/** Nothing is fetched from here: references that leave the document are refused where a tool is registered. */
const BASE = new URL("https://schema.invalid/");
const MAX_DEPTH = 64;

const known = new WeakMap<object, Compiled>();

export function compile(schema: unknown): Compiled {
  if (!isObject(schema)) return { root: schema !== false, draft: "2020-12", lookup: {} };
  const earlier = known.get(schema);
  if (earlier) return earlier;
  const root = readable(schema, 0) as Schema;
  const compiled: Compiled = { root, draft: draftOf(schema), lookup: dereference(root, {}, BASE) };
  known.set(schema, compiled);
  return compiled;
}

/** A part of a form's schema, whose references lead into `root`. */
export function compileWithin(schema: unknown, root: unknown): Compiled {
  if (!isObject(schema) || !isObject(root) || schema === root) return compile(schema);
  const earlier = known.get(schema);
  if (earlier) return earlier;
  const part = readable(schema, 0) as Schema;
  const whole = { ...(readable(root, 0) as Schema), "x-part": part };
  const compiled: Compiled = { root: part, draft: draftOf(root), lookup: dereference(whole, {}, BASE) };
  known.set(schema, compiled);
  return compiled;
}

function draftOf(schema: Schema): SchemaDraft {
  const uri = schema["$schema"];
  return typeof uri === "string" && uri.includes("draft-07") ? "7" : "2020-12";
}

/**
 * What the library below understands. Dynamic references are plain ones where a document has only one place of that name, and the
 * door takes no other documents. A pattern that JavaScript cannot read says nothing: the server judges it.
 */
function readable(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => readable(item, depth + 1));
  if (!isObject(value)) return value;
  const copy: Schema = {};
  for (const [key, member] of Object.entries(value)) {
    if (["const", "enum", "default", "examples"].includes(key)) copy[key] = member;
    else if (key === "$dynamicRef" && value["$ref"] === undefined) copy["$ref"] = member;
    else if (key === "$dynamicAnchor") copy["$anchor"] = member;
    else if (key === "pattern" && typeof member === "string" && !expression(member)) continue;
    else copy[key] = readable(member, depth + 1);
  }
  return copy;
}

const expressions = new Map<string, RegExp | null>();
const MAX_EXPRESSIONS = 500;

/** The pattern, as the server reads it where the two languages differ in small things. */
export function expression(pattern: string): RegExp | null {
  const earlier = expressions.get(pattern);
  if (earlier !== undefined) return earlier;
  if (expressions.size >= MAX_EXPRESSIONS) expressions.clear();
  const made = tried(pattern, "u") ?? tried(pattern, "");
  expressions.set(pattern, made);
  return made;
}

function tried(pattern: string, flags: string): RegExp | null {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  try {
    return inline ? new RegExp(pattern.slice(inline[0].length), flags + (inline[1] ?? "")) : new RegExp(pattern, flags);
  } catch {
    return null;
  }
}

/** Whether a value fits. A schema that the library cannot follow is left to the server. */
export function fits(compiled: Compiled, schema: unknown, instance: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  try {
    return validate(instance, schema as CfSchema, compiled.draft, compiled.lookup, true).valid;
  } catch {
    return true;
  }
}

/** Which members or items some keyword has already judged. */
export function evaluated(compiled: Compiled, schema: Schema, instance: unknown): Record<string, unknown> {
  const seen: Record<string, boolean> = {};
  const rest = Object.create(schema, {
    unevaluatedProperties: { value: undefined },
    unevaluatedItems: { value: undefined },
  }) as CfSchema;
  try {
    validate(instance, rest, compiled.draft, compiled.lookup, false, null, "#", "#", seen as never);
  } catch {
    return isObject(instance) ? instance : {};
  }
  return seen;
}

export { checkFormat, knownFormat };
