import { referred } from "@/parts/json/pointer";
import { isObject } from "@/parts/json/values";

type Schema = Record<string, unknown>;

/** Stands where a secret was. It is no word of a language: whoever pastes the code sees what is missing. */
function placeholder(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_");
  return `YOUR_${words.toUpperCase()}`;
}

function isSecret(schema: Schema): boolean {
  const field = schema["x-field"];
  const display = isObject(field) ? field["display"] : undefined;
  return [schema["format"], schema["x-widget"], display].includes("password") || schema["writeOnly"] === true;
}

const MAX_DEPTH = 48;

/** The input as code may show it: whatever the schema calls a password is left out. */
export function withoutSecrets(input: unknown, root: unknown): unknown {
  return isObject(root) ? redacted(input, [root], "value", root, 0) : input;
}

/** `schemas` are all that have a say about the value: any of them can call it a secret. */
function redacted(value: unknown, schemas: Schema[], key: string, root: Schema, depth: number): unknown {
  if (depth > MAX_DEPTH || value === null || value === undefined) return value;
  const all = schemas.flatMap((schema) => branches(schema, root, 0));
  if (all.some(isSecret)) return placeholder(key);
  if (Array.isArray(value)) {
    return value.map((item, index) => redacted(item, all.flatMap((schema) => ofItem(schema, index)), key, root, depth + 1));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const own = all.flatMap((schema) => ofMember(schema, name));
    return [name, redacted(member, own, name, root, depth + 1)] as const;
  });
  return Object.fromEntries(members);
}

/** The schema with what it refers to and its alternatives: a password in one branch of a `oneOf` is a password. */
function branches(schema: Schema, root: Schema, depth: number): Schema[] {
  if (depth > MAX_DEPTH / 4) return [schema];
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema[keyword]);
  const inner = [...lists, schema["if"], schema["then"], schema["else"], referred(schema["$ref"], root)].filter(isObject);
  return [schema, ...inner.flatMap((branch) => branches(branch, root, depth + 1))];
}

function ofItem(schema: Schema, index: number): Schema[] {
  const prefix: unknown = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"][index] : undefined;
  return [prefix ?? schema["items"]].filter(isObject);
}

function ofMember(schema: Schema, name: string): Schema[] {
  const properties = schema["properties"];
  const own = isObject(properties) ? properties[name] : undefined;
  return [own ?? schema["additionalProperties"]].filter(isObject);
}
