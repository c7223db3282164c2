// Which keyword of a schema which control shows. Whatever no control shows is in `rest`: kept as it is, and shown as JSON.
import { annotationOf, isMultiple, type Shape } from "./shape";
import { isObject, without, type Doc } from "../doc/json";

const COMMON = ["title", "description", "default", "x-field"];
const TEXT_BOUNDS = ["minLength", "maxLength", "pattern"];
const LIST_BOUNDS = ["minItems", "maxItems"];
/** Members of `x-field` that a control shows, whatever the type. */
const ANNOTATED = ["type", "display", "placeholder", "visible_if"];

/** The keywords that decide which values a field of this shape takes, and that a control shows. */
export function ownKeywords({ type, display }: Shape): string[] {
  const isList = isMultiple(display);
  switch (type) {
    case "text":
    case "phone":
      return ["type", ...TEXT_BOUNDS];
    case "url":
    case "email":
      return ["type", "format", ...TEXT_BOUNDS];
    case "number":
      return ["type", "minimum", "maximum", "multipleOf"];
    case "boolean":
    case "media":
      return ["type"];
    case "date":
      return ["type", "format"];
    case "enum":
      return isList ? ["type", "items", "uniqueItems", ...LIST_BOUNDS] : ["type", "enum"];
    case "relation":
      return isList ? ["type", "items", "x-entity-type", "x-entity-select", "uniqueItems", ...LIST_BOUNDS] : ["type", "x-entity-type"];
    case "object":
      return display === "json" ? ["type"] : ["type", "properties", "required", "additionalProperties", "x-field-order"];
    case "array":
      return ["type", "items", "uniqueItems", ...LIST_BOUNDS];
  }
}

function ownAnnotations({ type }: Shape): string[] {
  if (type === "enum") return [...ANNOTATED, "labels"];
  return type === "media" ? [...ANNOTATED, "accept", "max_bytes"] : ANNOTATED;
}

/** What no control shows. */
export function restOf(schema: Doc, shape: Shape): Doc {
  const rest = without(schema, ...COMMON, ...ownKeywords(shape));
  const annotation = without(annotationOf(schema), ...ownAnnotations(shape));
  const items = shape.type === "enum" || shape.type === "relation" ? restOfItems(schema) : {};
  return {
    ...rest,
    ...(Object.keys(annotation).length > 0 && { "x-field": annotation }),
    ...(Object.keys(items).length > 0 && { items }),
  };
}

function restOfItems(schema: Doc): Doc {
  const items = schema["items"];
  return isObject(items) ? without(items, "type", "enum") : {};
}

/** The schema with another rest: what the controls show stays. */
export function withRest(schema: Doc, shape: Shape, rest: Doc): Doc {
  const shown = [...COMMON, ...ownKeywords(shape)];
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => shown.includes(key)));
  const { "x-field": more, items, ...others } = rest;
  const ours = Object.fromEntries(Object.entries(annotationOf(schema)).filter(([key]) => ownAnnotations(shape).includes(key)));
  const annotation = { ...ours, ...(isObject(more) ? more : {}) };
  const made: Doc = { ...kept, ...without(others, ...shown) };
  if (Object.keys(annotation).length > 0) made["x-field"] = annotation;
  else delete made["x-field"];
  if (isObject(made["items"]) && (shape.type === "enum" || shape.type === "relation")) {
    const own = Object.fromEntries(Object.entries(made["items"]).filter(([key]) => key === "type" || key === "enum"));
    made["items"] = { ...own, ...(isObject(items) ? without(items, "type", "enum") : {}) };
  }
  return made;
}
