// What differs between two JSON values, as a list of places. Order of members does not count; nor does a member that is null on one side
// and missing on the other.
import { isObject } from "../json/values";

export interface Change {
  /** Names and numbers, joined by dots; empty for the value itself. */
  path: string;
  kind: "added" | "removed" | "changed";
  before?: unknown;
  after?: unknown;
}

/** More than anybody reads; the values themselves are beside the list. */
export const MOST = 500;

export function changesOf(before: unknown, after: unknown): Change[] {
  const found: Change[] = [];
  compare(found, "", before, after);
  return found;
}

function compare(found: Change[], path: string, before: unknown, after: unknown): void {
  if (found.length >= MOST) return;
  if (isMissing(before) && isMissing(after)) return;
  if (isMissing(before)) found.push({ path, kind: "added", after });
  else if (isMissing(after)) found.push({ path, kind: "removed", before });
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(found, path, before, after);
  else if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) compare(found, join(path, name), before[name], after[name]);
  } else if (!same(before, after)) found.push({ path, kind: "changed", before, after });
}

/** In a list of plain values it counts what came and what went; in any other list, place by place. */
function compareLists(found: Change[], path: string, before: unknown[], after: unknown[]): void {
  const isPlain = [...before, ...after].every((item) => !isObject(item) && !Array.isArray(item));
  if (!isPlain) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) compare(found, join(path, String(index)), before[index], after[index]);
    return;
  }
  const gone = before.filter((item) => !after.includes(item));
  const come = after.filter((item) => !before.includes(item));
  for (const item of gone) found.push({ path, kind: "removed", before: item });
  for (const item of come) found.push({ path, kind: "added", after: item });
  const isOtherwise = gone.length === 0 && come.length === 0 && !same(before, after);
  if (isOtherwise) found.push({ path, kind: "changed", before, after });
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
