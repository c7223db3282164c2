// A definition is a JSON document. Forms read and write single places of it; everything else stays as it is.
import { pointerOf, stepsOf as pathOf } from "@/parts/json/pointer";
import { isObject } from "@/parts/json/values";

export { isObject, pathOf, pointerOf };

export type Doc = Record<string, unknown>;
export type Path = readonly (string | number)[];

export function getAt(place: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isObject(at) ? at[String(step)] : undefined;
  }, place);
}

/**
 * The document with one place changed; `undefined` takes the key out, and with it the groups around it that are empty then. Keys keep
 * their order.
 */
export function setAt(doc: Doc, path: Path, value: unknown): Doc {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(value) ? value : {};
  const key = String(step);
  const made = rest.length === 0 ? value : setInside(doc[key], rest, value);
  if (made === undefined) return without(doc, key);
  return { ...doc, [key]: made };
}

function setInside(inner: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (Array.isArray(inner)) {
    const items: unknown[] = [...(inner as unknown[])];
    const at = Number(step);
    items[at] = rest.length === 0 ? value : setInside(items[at], rest, value);
    return items;
  }
  if (!isObject(inner) && value === undefined) return inner;
  const made = setAt(isObject(inner) ? inner : {}, path, value);
  return value === undefined && Object.keys(made).length === 0 ? undefined : made;
}

export function without(doc: Doc, ...keys: string[]): Doc {
  return Object.fromEntries(Object.entries(doc).filter(([key]) => !keys.includes(key)));
}

/** Equal as JSON: the order of keys says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
}

/** Whether a place is the one that a pointer names, or around it. */
export function isAround(path: Path, pointer: string): boolean {
  const own = pointerOf(path);
  return pointer === own || pointer.startsWith(`${own}/`);
}

/** The id of the element that shows a place. */
export function idAt(path: Path): string {
  return `def${pointerOf(path)}`;
}
