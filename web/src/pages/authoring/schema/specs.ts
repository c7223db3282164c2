// The controls of a field, by its type. Each fills one keyword of the field's schema.
import type { ControlSpec } from "../controls/types";
import type { Key } from "../messages";
import { isMultiple, type FieldType, type Shape } from "./shape";

const text = (path: string[], label: Key, more: Partial<ControlSpec> = {}): ControlSpec => ({ path, kind: "text", label, ...more });
const number = (path: string[], label: Key, more: Partial<ControlSpec> = {}): ControlSpec => ({ path, kind: "number", label, ...more });

export const TEXTS: ControlSpec[] = [
  text(["title"], "field.label", { help: "field.label.help" }),
  text(["description"], "field.description", { help: "field.description.help" }),
];

const TEXT_BOUNDS = [number(["minLength"], "field.minLength"), number(["maxLength"], "field.maxLength"), text(["pattern"], "field.pattern", { placeholder: "^[A-Z]{2}\\d+$", wide: true })];
const LIST_BOUNDS = [number(["minItems"], "field.minItems"), number(["maxItems"], "field.maxItems")];
const UNIQUE: ControlSpec = { path: ["uniqueItems"], kind: "switch", label: "field.unique" };
const PLACEHOLDER = text(["x-field", "placeholder"], "field.placeholder");
const INTEGER: ControlSpec = {
  path: ["type"],
  kind: "choice",
  label: "field.numbers",
  choices: [
    { value: "number", label: "field.numbers.any" },
    { value: "integer", label: "field.numbers.whole" },
  ],
};

const BY_TYPE: Record<FieldType, readonly ControlSpec[]> = {
  text: [PLACEHOLDER, ...TEXT_BOUNDS],
  url: [PLACEHOLDER, ...TEXT_BOUNDS],
  email: [PLACEHOLDER, ...TEXT_BOUNDS],
  phone: [PLACEHOLDER, ...TEXT_BOUNDS],
  number: [INTEGER, PLACEHOLDER, number(["minimum"], "field.minimum"), number(["maximum"], "field.maximum"), number(["multipleOf"], "field.step")],
  boolean: [],
  date: [],
  enum: [],
  media: [{ path: ["x-field", "accept"], kind: "words", label: "field.accept", placeholder: "image/*" }, number(["x-field", "max_bytes"], "field.maxBytes")],
  relation: [text(["x-entity-type"], "field.entityType", { help: "field.entityType.help", needed: true, placeholder: "agent" })],
  object: [],
  array: [...LIST_BOUNDS, UNIQUE],
};

export function specsOf({ type, display }: Shape): readonly ControlSpec[] {
  if (type === "enum" && isMultiple(display)) return LIST_BOUNDS;
  if (type === "relation" && isMultiple(display)) return [...BY_TYPE.relation, ...LIST_BOUNDS, UNIQUE];
  return BY_TYPE[type];
}

/** The default, as the type spells it. */
export function defaultSpec({ type, display }: Shape): ControlSpec {
  const path = ["default"];
  const label: Key = "field.default";
  if (type === "boolean") return { path, kind: "choice", label, none: "field.default.none", choices: [{ value: true, label: "yes" }, { value: false, label: "no" }] };
  if (type === "number") return { path, kind: "number", label };
  if (type === "object" || type === "array" || type === "enum" || isMultiple(display)) return { path, kind: "json", label, help: "field.default.json" };
  return { path, kind: type === "text" && display !== "input" && display !== "password" ? "lines" : "text", label };
}
