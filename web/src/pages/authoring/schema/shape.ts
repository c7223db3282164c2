// Which of the twelve storage types a schema is, and how it is shown: by its keywords, and by `x-field` where they do not tell.
import { isObject, type Doc } from "../doc/json";

export const DISPLAYS = {
  text: ["input", "textarea", "markdown", "code", "password"],
  number: ["input", "slider", "currency", "percent", "rating"],
  boolean: ["switch", "checkbox"],
  date: ["date", "datetime", "time"],
  enum: ["select", "radio", "multi_select", "tags"],
  url: ["input"],
  email: ["input"],
  phone: ["input"],
  media: ["file", "image", "video", "audio"],
  relation: ["picker", "multi_picker"],
  object: ["group", "json"],
  array: ["list", "table"],
} as const;

export type FieldType = keyof typeof DISPLAYS;
export type Display = (typeof DISPLAYS)[FieldType][number];
export const FIELD_TYPES = Object.keys(DISPLAYS) as FieldType[];

export interface Shape {
  type: FieldType;
  display: Display;
}

export const FORMATS: Partial<Record<Display, string>> = { date: "date", datetime: "date-time", time: "time" };

/** Keywords that combine schemas: no control shows what they mean. */
const COMBINED = ["$ref", "$dynamicRef", "oneOf", "anyOf", "allOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "patternProperties", "propertyNames", "prefixItems", "contains", "unevaluatedProperties", "unevaluatedItems"];

export function annotationOf(schema: Doc): Doc {
  const field = schema["x-field"];
  return isObject(field) ? field : {};
}

export function isMultiple(display: string): boolean {
  return display === "multi_select" || display === "tags" || display === "multi_picker";
}

/** Nothing where only raw JSON can show it. */
export function shapeOf(schema: unknown): Shape | undefined {
  if (!isObject(schema) || COMBINED.some((keyword) => keyword in schema)) return undefined;
  if ("x-field" in schema && !isObject(schema["x-field"])) return undefined;
  const { type: told, display: shown } = annotationOf(schema);
  const inferred = infer(schema);
  const type = told === undefined ? inferred?.type : FIELD_TYPES.find((one) => one === told);
  if (type === undefined) return undefined;
  const displays: readonly Display[] = DISPLAYS[type];
  const suggested = inferred?.type === type ? inferred.display : undefined;
  const display = shown === undefined ? (suggested ?? displays[0]) : displays.find((one) => one === shown);
  return display !== undefined && fits(schema, type, display) ? { type, display } : undefined;
}

/** What the keywords alone suggest. */
export function infer(schema: Doc): { type: FieldType; display?: Display } | undefined {
  if ("enum" in schema || "const" in schema) return { type: "enum" };
  switch (schema["type"]) {
    case "boolean":
      return { type: "boolean" };
    case "number":
    case "integer":
      return { type: "number" };
    case "string":
      return inferText(schema);
    case "array":
      if ("x-entity-select" in schema) return { type: "relation", display: "multi_picker" };
      return schema["uniqueItems"] === true && isBareEnum(schema["items"]) ? { type: "enum", display: "multi_select" } : { type: "array" };
    case "object": {
      const isOpen = schema["additionalProperties"] !== false;
      const properties = schema["properties"];
      const isEmpty = !isObject(properties) || Object.keys(properties).length === 0;
      return isOpen && isEmpty ? { type: "object", display: "json" } : { type: "object" };
    }
    default:
      return undefined;
  }
}

function inferText(schema: Doc): { type: FieldType; display?: Display } | undefined {
  if ("x-entity-type" in schema) return { type: "relation" };
  switch (schema["format"]) {
    case undefined:
      return { type: "text" };
    case "date":
      return { type: "date" };
    case "date-time":
      return { type: "date", display: "datetime" };
    case "time":
      return { type: "date", display: "time" };
    case "uri":
      return { type: "url" };
    case "email":
      return { type: "email" };
    default:
      return undefined;
  }
}

function isBareEnum(items: unknown): boolean {
  return isObject(items) && "enum" in items && Object.keys(items).every((key) => key === "enum" || key === "type");
}

/** Whether the keywords are those of the type: an annotation may say anything. */
function fits(schema: Doc, type: FieldType, display: Display): boolean {
  const is = (kind: string) => schema["type"] === kind;
  const format = schema["format"];
  switch (type) {
    case "text":
    case "phone":
    case "media":
      return is("string") && format === undefined && !("enum" in schema);
    case "url":
      return is("string") && format === "uri";
    case "email":
      return is("string") && format === "email";
    case "date":
      return is("string") && format === FORMATS[display];
    case "boolean":
      return is("boolean");
    case "number":
      return is("number") || is("integer");
    case "enum":
      return isMultiple(display) ? is("array") && schema["uniqueItems"] === true && isChoice(schema["items"]) : isChoice(schema) && !is("array") && !is("object");
    case "relation":
      return isMultiple(display) ? is("array") && schema["x-entity-select"] === "multiple" && isObject(schema["items"]) && schema["items"]["type"] === "string" : is("string");
    case "object":
      return is("object") && (schema["properties"] === undefined || isObject(schema["properties"])) && typeof (schema["additionalProperties"] ?? true) === "boolean";
    case "array":
      return is("array") && isObject(schema["items"]);
  }
}

/** A list of choices that are texts, numbers or truth values. */
function isChoice(schema: unknown): schema is Doc & { enum: unknown[] } {
  if (!isObject(schema) || "const" in schema) return false;
  const values = schema["enum"];
  return Array.isArray(values) && values.every((value) => ["string", "number", "boolean"].includes(typeof value));
}
