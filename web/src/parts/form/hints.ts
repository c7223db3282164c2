import type { RJSFSchema, UiSchema } from "@rjsf/utils";

import { isObject } from "../json/values";
import { widgetNameFor } from "./registry";

/** A text that may be longer than this gets more than one line. */
const LONG_TEXT_CHARS = 200;

/** How a field is shown, by what its schema says of itself: `x-field` is the house's own word, `x-widget` anybody's. */
export function hintsOf(schema: RJSFSchema): UiSchema {
  const field = isObject(schema["x-field"]) ? schema["x-field"] : {};
  const hints: UiSchema = {};
  const order = schema["x-field-order"];
  if (Array.isArray(order)) hints["ui:order"] = [...order.map(String), "*"];
  if (typeof field["placeholder"] === "string") hints["ui:placeholder"] = field["placeholder"];
  const choices = enumOf(schema);
  if (Array.isArray(field["labels"]) && choices) {
    hints["ui:enumNames"] = field["labels"].map((label, index) => (typeof label === "string" ? label : String(choices[index])));
  }
  const widget = widgetNameFor(schema) ?? ordinary(schema);
  if (widget === "json") hints["ui:field"] = "JsonField";
  else if (widget) hints["ui:widget"] = widget;
  return hints;
}

/** The choices of a field, or of the items of a list. */
function enumOf(schema: RJSFSchema): unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  const items = schema.items;
  return isObject(items) && Array.isArray(items["enum"]) ? items["enum"] : undefined;
}

function ordinary(schema: RJSFSchema): string | undefined {
  const type = mainType(schema);
  if (isShapeless(schema)) return "json";
  if (type === "string" && !schema.enum && !schema.format && (schema.maxLength ?? 0) > LONG_TEXT_CHARS) return "textarea";
  if (type === "boolean" && !schema.enum) return "switch";
  if (type === "array" && isPlainTexts(schema)) return "tags";
  return undefined;
}

function mainType(schema: RJSFSchema): string | undefined {
  const { type } = schema;
  return Array.isArray(type) ? type.find((name) => name !== "null") : type;
}

/** Schemas that no widget can show: anything goes, or several types that have nothing in common. */
function isShapeless(schema: RJSFSchema): boolean {
  const shapes = ["$ref", "enum", "const", "oneOf", "anyOf", "allOf", "if", "properties", "items", "prefixItems"];
  if (shapes.some((keyword) => schema[keyword] !== undefined)) return isMixed(schema);
  const type = mainType(schema);
  if (type === "object") return schema.additionalProperties === undefined || schema.additionalProperties === true;
  return type === undefined || type === "array" || isMixed(schema);
}

function isMixed({ type }: RJSFSchema): boolean {
  return Array.isArray(type) && type.filter((name) => name !== "null").length > 1;
}

/** A list of short texts is filled in one line. */
function isPlainTexts({ items }: RJSFSchema): boolean {
  if (!isObject(items) || items["type"] !== "string") return false;
  const more = ["enum", "const", "format", "x-field", "x-widget", "x-entity-type", "oneOf", "anyOf"];
  const longest = items["maxLength"];
  return more.every((keyword) => items[keyword] === undefined) && (typeof longest !== "number" || longest <= LONG_TEXT_CHARS);
}
