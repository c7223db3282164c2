// What differs between two definitions, place by place: a schema of a hundred fields of which one changed shows one line.
import { isObject, isSame, type Path } from "../doc/json";

export interface Change {
  path: Path;
  /** `undefined`: was not there. */
  from: unknown;
  /** `undefined`: is not there any more. */
  to: unknown;
}

export function changesBetween(from: unknown, to: unknown, path: Path = []): Change[] {
  if (isSame(from, to)) return [];
  if (isObject(from) && isObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => changesBetween(from[key], to[key], [...path, key]));
  }
  // Lists of groups are held against each other item by item; lists of plain values are shown whole.
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length && [...(from as unknown[]), ...(to as unknown[])].every(isObject)) {
    return from.flatMap((item, index) => changesBetween(item, to[index], [...path, index]));
  }
  return [{ path, from, to }];
}

export function isLongText(value: unknown): value is string {
  return typeof value === "string" && (value.includes("\n") || value.length > 120);
}
