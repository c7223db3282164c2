// Schemas as people write them, well and badly, from a seed: the same seed makes the same schema.
import type { Doc } from "../doc/json";
import { fresh } from "./reshape";
import { DISPLAYS, FIELD_TYPES, type Display, type FieldType } from "./shape";

/** A whole number below `below`. */
export type Random = (below: number) => number;

export function random(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return below <= 0 ? 0 : Math.abs(state >> 3) % below;
  };
}

const KEYS = ["name", "amount", "Zip", "a/b", "~x", "ümlaut", "to", "type", "properties", "items", "deep", "when", "10", "2"];
/** No control shows these. */
const STRANGE: Doc[] = [
  { $ref: "#/$defs/thing" },
  { oneOf: [{ type: "string" }, { type: "number" }] },
  { anyOf: [{ const: 1 }, { type: "null" }] },
  { type: ["string", "null"] },
  { type: "string", format: "ipv4" },
  { type: "array" },
  { type: "array", items: true },
  { type: "object", additionalProperties: { type: "string" } },
  { type: "object", patternProperties: { "^x": {} } },
  { enum: [{ a: 1 }, null] },
  { const: "fixed" },
  { type: "number", "x-field": { type: "text" } },
  { type: "string", "x-field": { display: "hologram" } },
  { type: "string", "x-field": "no object" },
  {},
];
/** Beside what a control shows. */
const EXTRA: Doc[] = [{ $comment: "why" }, { examples: ["x", 1] }, { deprecated: true }, { "x-widget": "agent-picker" }, { exclusiveMinimum: 0 }, { readOnly: true, writeOnly: false }, { contentMediaType: "text/markdown" }];

export function anySchema(next: Random): Doc {
  const schema = group(next, 3);
  if (next(4) === 0) Object.assign(schema, { $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { thing: { type: "string" } } });
  return schema;
}

function group(next: Random, depth: number): Doc {
  const names = KEYS.filter(() => next(3) === 0);
  const properties = Object.fromEntries(names.map((name) => [name, field(next, depth)]));
  const required = names.filter(() => next(3) === 0);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(next(2) === 0 && { additionalProperties: next(2) === 0 }),
    ...(next(4) === 0 && names.length > 1 && { "x-field-order": [...Object.keys(properties)].reverse() }),
    ...(next(8) === 0 && { minProperties: 1 }),
  };
}

function field(next: Random, depth: number): Doc {
  if (next(5) === 0) return { ...STRANGE[next(STRANGE.length)], ...texts(next) };
  const type = FIELD_TYPES[next(FIELD_TYPES.length)] as FieldType;
  const displays: readonly Display[] = DISPLAYS[type];
  const display = displays[next(displays.length)] as Display;
  const made = { ...fresh(type, display), ...bounds(next, type), ...texts(next), ...(next(4) === 0 && EXTRA[next(EXTRA.length)]) };
  if (type === "object" && display === "group" && depth > 0) return { ...made, ...group(next, depth - 1), ...("x-field" in made && { "x-field": made["x-field"] }) };
  if (type === "array" && depth > 0) return { ...made, items: field(next, depth - 1) };
  if (type === "enum" && display === "select" && next(2) === 0) return { ...made, type: "integer", enum: [1, 2, 3], "x-field": { labels: ["one", null, "three"] } };
  return made;
}

function texts(next: Random): Doc {
  return { ...(next(2) === 0 && { title: `Title ${next(100)}` }), ...(next(3) === 0 && { description: "What it is\nfor" }) };
}

function bounds(next: Random, type: FieldType): Doc {
  if (next(2) === 0) return {};
  if (type === "text") return { minLength: 1, maxLength: next(500), pattern: "^a" };
  if (type === "number") return { type: "integer", minimum: 0, maximum: next(50), default: 3 };
  return type === "array" ? { minItems: 1, uniqueItems: next(2) === 0 } : {};
}
