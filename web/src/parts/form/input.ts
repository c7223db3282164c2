import { referred } from "../json/pointer";
import { isObject } from "../json/values";

type Schema = Record<string, unknown>;
const MAX_DEPTH = 48;

/** Without what a form leaves undefined: JSON cannot say it. */
export function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutHoles(item) ?? null);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutHoles(member)]));
}

/**
 * The input that a filled form stands for. A group of fields that may be left out and where nothing was filled in is left out; a
 * field that must be there and was left empty is null, where null is allowed; a field that is not shown has no value.
 */
export function inputOf(formData: unknown, schema: unknown): unknown {
  const root = isObject(schema) ? schema : {};
  return filled(withoutHoles(formData) ?? {}, root, root, 0);
}

function filled(value: unknown, given: unknown, root: Schema, depth: number): unknown {
  const schema = resolved(given, root);
  if (depth > MAX_DEPTH || !schema) return value;
  if (Array.isArray(value)) return value.map((item) => filled(item, schema["items"], root, depth + 1));
  if (!isObject(value)) return value;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const inner = resolved(properties[key], root);
    if (inner && !isVisible(inner, value)) continue;
    const made = filled(member, inner, root, depth + 1);
    if (inner && isEmptyGroup(made, inner) && !required.includes(key)) continue;
    result[key] = made;
  }
  for (const key of required) {
    const inner = resolved(properties[String(key)], root);
    if (inner && !(String(key) in result) && takesNull(inner) && isVisible(inner, value)) result[String(key)] = null;
  }
  return result;
}

function resolved(schema: unknown, root: Schema): Schema | undefined {
  if (!isObject(schema)) return undefined;
  const target = referred(schema["$ref"], root);
  return isObject(target) ? target : schema;
}

/** Only groups of fields: an empty map or list that somebody made is what they meant. */
function isEmptyGroup(value: unknown, schema: Schema): boolean {
  return isObject(value) && Object.keys(value).length === 0 && isObject(schema["properties"]);
}

function takesNull(schema: Schema): boolean {
  const type = schema["type"];
  return type === "null" || (Array.isArray(type) && type.includes("null"));
}

/** `x-field.visible_if`: shown only while another field of the same group has a value. */
export function isVisible(schema: Schema, siblings: Record<string, unknown>): boolean {
  const field = schema["x-field"];
  const condition = isObject(field) ? field["visible_if"] : undefined;
  if (!isObject(condition) || typeof condition["field"] !== "string") return true;
  return JSON.stringify(siblings[condition["field"]]) === JSON.stringify(condition["equals"]);
}
