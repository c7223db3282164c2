// The fields of an object: in which order, which must be there, and how one is added, moved, renamed and taken out.
import { isObject, setAt, without, type Doc } from "../doc/json";

export const ORDER = "x-field-order";

export function propertiesOf(schema: Doc): Doc {
  const properties = schema["properties"];
  return isObject(properties) ? properties : {};
}

/** As the form shows them: the order that is written down, then whatever it does not name. */
export function keysOf(schema: Doc): string[] {
  const names = Object.keys(propertiesOf(schema));
  const order = schema[ORDER];
  const first = Array.isArray(order) ? [...new Set(order.map(String))].filter((name) => names.includes(name)) : [];
  return [...first, ...names.filter((name) => !first.includes(name))];
}

export function requiredOf(schema: Doc): string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.map(String) : [];
}

/** The order is written down only where it is not that of the alphabet: stores sort the members of an object. */
function ordered(schema: Doc, keys: string[]): Doc {
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
  if (!isSorted) return { ...schema, [ORDER]: keys };
  const given = propertiesOf(schema);
  const properties = Object.fromEntries(keys.map((key) => [key, given[key]]));
  // A browser has an order of its own for keys that are numbers.
  const isKept = Object.keys(properties).every((key, index) => key === keys[index]);
  return isKept ? { ...without(schema, ORDER), properties } : { ...schema, [ORDER]: keys };
}

function withRequired(schema: Doc, required: string[]): Doc {
  return required.length === 0 ? without(schema, "required") : { ...schema, required };
}

export function putField(schema: Doc, key: string, field: unknown): Doc {
  return setAt(schema, ["properties", key], field);
}

export function addField(schema: Doc, key: string, field: Doc): Doc {
  const keys = [...keysOf(schema), key];
  return ordered({ ...schema, properties: { ...propertiesOf(schema), [key]: field } }, keys);
}

export function removeField(schema: Doc, key: string): Doc {
  const keys = keysOf(schema).filter((one) => one !== key);
  const rest = { ...schema, properties: without(propertiesOf(schema), key) };
  const required = requiredOf(schema);
  return ordered(required.includes(key) ? withRequired(rest, required.filter((one) => one !== key)) : rest, keys);
}

/** A key that is taken already is left to its owner. */
export function renameField(schema: Doc, from: string, to: string): Doc {
  const properties = propertiesOf(schema);
  if (from === to || to === "" || to in properties || !(from in properties)) return schema;
  const renamed = (key: string) => (key === from ? to : key);
  const keys = keysOf(schema).map(renamed);
  const entries = Object.entries(properties).map(([key, field]) => [renamed(key), following(field, from, to)] as const);
  const made = { ...schema, properties: Object.fromEntries(entries) };
  const required = requiredOf(schema);
  return ordered(required.includes(from) ? withRequired(made, required.map(renamed)) : made, keys);
}

/** A field that is shown only with another one follows its name. */
function following(field: unknown, from: string, to: string): unknown {
  if (!isObject(field) || !isObject(field["x-field"])) return field;
  const condition = field["x-field"]["visible_if"];
  return isObject(condition) && condition["field"] === from ? setAt(field, ["x-field", "visible_if", "field"], to) : field;
}

export function moveField(schema: Doc, key: string, by: -1 | 1): Doc {
  const keys = keysOf(schema);
  const at = keys.indexOf(key);
  const other = keys[at + by];
  if (at < 0 || other === undefined) return schema;
  keys[at] = other;
  keys[at + by] = key;
  return ordered(schema, keys);
}

export function setRequired(schema: Doc, key: string, isRequired: boolean): Doc {
  const required = requiredOf(schema);
  if (required.includes(key) === isRequired) return schema;
  return withRequired(schema, isRequired ? [...required, key] : required.filter((one) => one !== key));
}

/** A name that is not taken: `field`, `field_2`, … */
export function freeKey(schema: Doc, wish = "field"): string {
  const properties = propertiesOf(schema);
  if (!(wish in properties)) return wish;
  let number = 2;
  while (`${wish}_${number}` in properties) number += 1;
  return `${wish}_${number}`;
}
