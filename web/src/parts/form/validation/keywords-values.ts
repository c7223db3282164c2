import { deepCompareStrict, ucs2length } from "@cfworker/json-schema";

import { isObject } from "../../json/values";
import { checkFormat, expression, fits } from "./compile";
import type { Checks } from "./keywords";
import { shown, spelt } from "./spelling";

/** The order in which the server lists types. */
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
/** A longer list of choices is not spelt out. */
const MAX_CHOICES = 3;

function few(count: number, one: string, many: string): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

function choices(options: unknown[]): string {
  const words = options.map(spelt);
  if (words.length > MAX_CHOICES) {
    return `${words.slice(0, MAX_CHOICES - 1).join(", ")} or ${String(words.length - MAX_CHOICES + 1)} other candidates`;
  }
  return words.length === 1 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

function bound(fails: (number: number, limit: number) => boolean, words: string): Checks[string] {
  return ({ instance }, limit, _, complain) => {
    if (typeof instance === "number" && typeof limit === "number" && fails(instance, limit)) {
      complain(`${shown(instance)} ${words} ${spelt(limit)}`);
    }
  };
}

function size(
  measure: (instance: unknown) => number | undefined,
  fails: (size: number, limit: number) => boolean,
  words: string,
  one: string,
  many: string,
): Checks[string] {
  return ({ instance }, limit, _, complain) => {
    const measured = measure(instance);
    if (measured !== undefined && typeof limit === "number" && fails(measured, limit)) {
      complain(`${shown(instance)} ${words} ${few(limit, one, many)}`);
    }
  };
}

const characters = (value: unknown) => (typeof value === "string" ? ucs2length(value) : undefined);
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const properties = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);
const under = (a: number, b: number) => a < b;
const over = (a: number, b: number) => a > b;

/** Keywords that judge a value by itself. */
export const values: Checks = {
  type: ({ compiled, instance }, type, _, complain) => {
    if (fits(compiled, { type }, instance)) return;
    if (typeof type === "string") complain(`${shown(instance)} is not of type "${type}"`);
    if (!Array.isArray(type)) return;
    const names = TYPES.filter((name) => type.includes(name));
    if (names.length === 1) complain(`${shown(instance)} is not of type "${names[0] ?? ""}"`);
    else complain(`${shown(instance)} is not of types ${names.map((name) => `"${name}"`).join(", ")}`);
  },
  const: ({ instance }, expected, _, complain) => {
    if (!deepCompareStrict(instance, expected)) complain(`${spelt(expected)} was expected`);
  },
  enum: ({ instance }, options, _, complain) => {
    if (!Array.isArray(options) || options.some((option) => deepCompareStrict(instance, option))) return;
    complain(`${shown(instance)} is not one of ${choices(options)}`);
  },
  minimum: bound((a, b) => a < b, "is less than the minimum of"),
  maximum: bound((a, b) => a > b, "is greater than the maximum of"),
  exclusiveMinimum: bound((a, b) => a <= b, "is less than or equal to the minimum of"),
  exclusiveMaximum: bound((a, b) => a >= b, "is greater than or equal to the maximum of"),
  multipleOf: ({ compiled, instance }, multipleOf, _, complain) => {
    if (!fits(compiled, { multipleOf }, instance)) complain(`${shown(instance)} is not a multiple of ${spelt(multipleOf)}`);
  },
  minLength: size(characters, under, "is shorter than", "character", "characters"),
  maxLength: size(characters, over, "is longer than", "character", "characters"),
  minItems: size(items, under, "has less than", "item", "items"),
  maxItems: size(items, over, "has more than", "item", "items"),
  minProperties: size(properties, under, "has less than", "property", "properties"),
  maxProperties: size(properties, over, "has more than", "property", "properties"),
  pattern: ({ instance }, pattern, _, complain) => {
    if (typeof instance !== "string" || typeof pattern !== "string") return;
    if (expression(pattern)?.test(instance) === false) complain(`${shown(instance)} does not match "${pattern}"`);
  },
  format: ({ instance }, format, _, complain) => {
    if (typeof instance !== "string" || typeof format !== "string" || checkFormat(format, instance)) return;
    complain(`${shown(instance)} is not a "${format}"`);
  },
  uniqueItems: ({ compiled, instance }, uniqueItems, _, complain) => {
    if (!fits(compiled, { uniqueItems }, instance)) complain(`${shown(instance)} has non-unique elements`);
  },
  contentEncoding: ({ compiled, schema, instance }, encoding, _, complain) => {
    // Only draft 7 looks into a text; with a media type beside it, the text is decoded first.
    if (compiled.draft !== "7" || encoding !== "base64" || typeof instance !== "string") return;
    const content = decoded(instance);
    if (content === undefined) complain(`${shown(instance)} is not compliant with "base64" content encoding`);
    else if (schema["contentMediaType"] === "application/json" && !isJson(content)) {
      complain(`${shown(instance)} is not compliant with "application/json" media type`);
    }
  },
  contentMediaType: ({ compiled, schema, instance }, type, _, complain) => {
    if (compiled.draft !== "7" || type !== "application/json" || typeof instance !== "string") return;
    if (schema["contentEncoding"] === undefined && !isJson(instance)) {
      complain(`${shown(instance)} is not compliant with "application/json" media type`);
    }
  },
};

function decoded(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
