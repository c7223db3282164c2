// A field becomes another type, or is shown in another way. What its new shape has no place for goes; all else stays.
import { isObject, setAt, without, type Doc } from "../doc/json";
import { ownKeywords } from "./keywords";
import { annotationOf, DISPLAYS, FORMATS, infer, isMultiple, shapeOf, type Display, type FieldType, type Shape } from "./shape";

/** A schema of this shape, with nothing said but what it is. */
export function fresh(type: FieldType, display: Display = DISPLAYS[type][0]): Doc {
  return annotated(plain(type, display, {}), { type, display });
}

export function reshaped(schema: Doc, type: FieldType, display: Display = DISPLAYS[type][0]): Doc {
  const before = shapeOf(schema);
  if (before?.type === type && before.display === display) return schema;
  const isSameType = before?.type === type;
  const kept = before === undefined ? pickTexts(schema) : without(schema, ...ownKeywords(before), "x-field", ...(isSameType ? [] : SHAPING));
  const own = before === undefined || !isSameType ? {} : carried(schema, before, display);
  const made: Doc = { ...plain(type, display, own), ...bounds(own), ...kept };
  const annotation = annotationOf(schema);
  const keptAnnotation = isSameType ? without(annotation, "type", "display") : Object.fromEntries(Object.entries(annotation).filter(([key]) => key === "visible_if"));
  return annotated(Object.keys(keptAnnotation).length > 0 ? { ...made, "x-field": keptAnnotation } : made, { type, display });
}

/** What another type would understand otherwise, or not at all. */
const SHAPING = ["default", "format", "enum", "const", "items", "uniqueItems", "properties", "required", "additionalProperties", "x-field-order", "x-entity-type", "x-entity-select", "x-widget"];

function pickTexts(schema: Doc): Doc {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key === "title" || key === "description"));
}

/** What the new display of the same type can take over. */
function carried(schema: Doc, before: Shape, display: Display): Doc {
  const own = Object.fromEntries(Object.entries(schema).filter(([key]) => ownKeywords(before).includes(key)));
  if (before.type !== "enum" && before.type !== "relation") return own;
  const [was, is] = [isMultiple(before.display), isMultiple(display)];
  if (was === is) return own;
  if (before.type === "relation") return { "x-entity-type": own["x-entity-type"] };
  return is ? { items: without(own, "x-field") } : isObject(own["items"]) ? own["items"] : {};
}

const BOUNDS = ["minLength", "maxLength", "pattern", "minimum", "maximum", "multipleOf", "minItems", "maxItems"];

function bounds(own: Doc): Doc {
  return Object.fromEntries(Object.entries(own).filter(([key]) => BOUNDS.includes(key)));
}

function plain(type: FieldType, display: Display, own: Doc): Doc {
  switch (type) {
    case "text":
    case "phone":
    case "media":
      return { type: "string" };
    case "url":
      return { type: "string", format: "uri" };
    case "email":
      return { type: "string", format: "email" };
    case "date":
      return { type: "string", format: FORMATS[display] };
    case "boolean":
      return { type: "boolean" };
    case "number":
      return { type: own["type"] === "integer" ? "integer" : "number" };
    case "enum":
      return isMultiple(display) ? { type: "array", items: own["items"] ?? choices(own), uniqueItems: true } : choices(own);
    case "relation":
      return isMultiple(display)
        ? { type: "array", items: { type: "string" }, "x-entity-type": own["x-entity-type"] ?? "agent", "x-entity-select": "multiple" }
        : { type: "string", "x-entity-type": own["x-entity-type"] ?? "agent" };
    case "object":
      return display === "json" ? { type: "object" } : { type: "object", properties: own["properties"] ?? {}, ...pick(own, "required", "x-field-order"), additionalProperties: own["additionalProperties"] ?? false };
    case "array":
      return { type: "array", items: own["items"] ?? { type: "string" }, ...pick(own, "uniqueItems") };
  }
}

function pick(own: Doc, ...keys: string[]): Doc {
  return Object.fromEntries(Object.entries(own).filter(([key]) => keys.includes(key)));
}

function choices(own: Doc): Doc {
  const values = Array.isArray(own["enum"]) ? (own["enum"] as unknown[]) : ["first", "second"];
  return values.every((value) => typeof value === "string") ? { type: "string", enum: values } : { enum: values };
}

/** Says in `x-field` what the keywords do not tell by themselves, and nothing more. */
function annotated(schema: Doc, { type, display }: Shape): Doc {
  const told = infer(schema);
  const suggested = (told?.type === type ? told.display : undefined) ?? DISPLAYS[type][0];
  const withType = setAt(schema, ["x-field", "type"], told?.type === type ? undefined : type);
  return setAt(withType, ["x-field", "display"], suggested === display ? undefined : display);
}
