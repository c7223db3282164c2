// A JSON value as the lines of a tree, of which only the opened ones exist: two megabytes cost no more than what is looked at.
import { pointerOf } from "./pointer";

export type Json = unknown;

export interface JsonRow {
  /** A JSON pointer; the root is the empty one. */
  path: string;
  name: string | undefined;
  depth: number;
  kind: "object" | "array" | "string" | "number" | "boolean" | "null" | "more";
  value: Json;
  /** How many members; for `more` how many are hidden. */
  size: number;
  isOpen: boolean;
  position: number;
  siblings: number;
}

export interface TreeState {
  /** What differs from the default, which is open down to `OPEN_DEPTH` where it is small. */
  toggled: ReadonlySet<string>;
  /** How many members of a large value are shown. */
  shown: ReadonlyMap<string, number>;
}

export const CLOSED: TreeState = { toggled: new Set(), shown: new Map() };
export const PAGE = 200;
const OPEN_DEPTH = 2;
const OPEN_SIZE = 50;

export function rowsOf(root: Json, state: TreeState): JsonRow[] {
  const rows: JsonRow[] = [];
  visit(rows, state, { value: root, path: "", name: undefined, depth: 0, position: 1, siblings: 1 });
  return rows;
}

type Node = Pick<JsonRow, "value" | "path" | "name" | "depth" | "position" | "siblings">;

// Depth is bounded by what is open; the server bounds the depth of what it stores as well.
function visit(rows: JsonRow[], state: TreeState, node: Node): void {
  const { value, path, depth } = node;
  const kind = kindOf(value);
  const size = sizeOf(value);
  const isOpen = size > 0 && isOpenByDefault(depth, size) !== state.toggled.has(path);
  rows.push({ ...node, kind, size, isOpen });
  if (!isOpen) return;
  const most = state.shown.get(path) ?? PAGE;
  const names = Array.isArray(value) ? undefined : Object.keys(value as object);
  const end = Math.min(size, most);
  for (let index = 0; index < end; index += 1) {
    const name = names?.[index] ?? String(index);
    const child = (value as Record<string, Json>)[name];
    visit(rows, state, { value: child, path: path + pointerOf([name]), name, depth: depth + 1, position: index + 1, siblings: size });
  }
  if (end < size) {
    rows.push({ path: `${path}/…`, name: undefined, depth: depth + 1, kind: "more", value: path, size: size - end, isOpen: false, position: end + 1, siblings: size });
  }
}

export function kindOf(value: Json): Exclude<JsonRow["kind"], "more"> {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}

function sizeOf(value: Json): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function isOpenByDefault(depth: number, size: number): boolean {
  return depth === 0 || (depth < OPEN_DEPTH && size <= OPEN_SIZE);
}

export function toggle(state: TreeState, path: string): TreeState {
  const toggled = new Set(state.toggled);
  if (!toggled.delete(path)) toggled.add(path);
  return { ...state, toggled };
}

export function showMore(state: TreeState, path: string): TreeState {
  return { ...state, shown: new Map(state.shown).set(path, (state.shown.get(path) ?? PAGE) + 5 * PAGE) };
}

/** The row above that holds this one. */
export function parentOf(rows: JsonRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above -= 1) if ((rows[above]?.depth ?? 0) < depth) return above;
  return index;
}
