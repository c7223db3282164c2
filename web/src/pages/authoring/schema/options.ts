// The choices of an `enum` field: their values in the schema, their labels in `x-field`.
import { getAt, isObject, setAt, type Doc } from "../doc/json";
import { annotationOf, isMultiple, type Shape } from "./shape";

export interface Option {
  value: unknown;
  label: string | undefined;
}

const place = (shape: Shape) => (isMultiple(shape.display) ? ["items", "enum"] : ["enum"]);

export function optionsOf(schema: Doc, shape: Shape): Option[] {
  const holder = isMultiple(shape.display) && isObject(schema["items"]) ? schema["items"] : schema;
  const values: unknown[] = Array.isArray(holder["enum"]) ? holder["enum"] : [];
  const { labels } = annotationOf(schema);
  const label = (index: number): unknown => (Array.isArray(labels) ? labels[index] : undefined);
  return values.map((value, index) => ({ value, label: typeof label(index) === "string" ? (label(index) as string) : undefined }));
}

export function withOptions(schema: Doc, shape: Shape, options: Option[]): Doc {
  const values = options.map(({ value }) => value);
  const hasLabels = options.some(({ label }) => label !== undefined && label !== "");
  const labels = hasLabels ? options.map(({ label }) => (label === undefined || label === "" ? null : label)) : undefined;
  const typePlace = isMultiple(shape.display) ? ["items", "type"] : ["type"];
  const type = getAt(schema, typePlace);
  // A type stays as long as every choice is of it.
  const typed = type === undefined || values.every((value) => isOf(value, type)) ? schema : setAt(schema, typePlace, undefined);
  return setAt(setAt(typed, place(shape), values), ["x-field", "labels"], labels);
}

function isOf(value: unknown, type: unknown): boolean {
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}
