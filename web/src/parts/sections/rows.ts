import { isObject } from "../json/values";

export type Row = Record<string, unknown>;

/** The rows of a value that can be one: a list of objects, a list of anything, or an object whose members become rows. */
export function rowsOf(value: unknown): Row[] {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? item : { value: item as unknown }));
  if (isObject(value)) {
    const inner = Object.entries(value);
    return inner.every(([, member]) => isObject(member))
      ? inner.map(([key, member]) => ({ key, ...(member as Row) }))
      : inner.map(([key, member]) => ({ key, value: member }));
  }
  return value === undefined || value === null ? [] : [{ value }];
}

/** Columns in the order in which the rows name them. A row far down may have one more; nobody looks at ten thousand for that. */
const LOOKED_AT = 200;
const MAX_COLUMNS = 60;

export function columnsOf(rows: Row[], asked?: unknown): string[] {
  if (Array.isArray(asked) && asked.length > 0) return asked.map(columnName).filter((name) => name !== "");
  const found = new Set<string>();
  for (const row of rows.slice(0, LOOKED_AT)) for (const key of Object.keys(row)) found.add(key);
  return [...found].slice(0, MAX_COLUMNS);
}

function columnName(column: unknown): string {
  if (typeof column === "string") return column;
  return isObject(column) && typeof column["key"] === "string" ? column["key"] : "";
}

/** `hoursPerYear` and `hours_per_year` as people write them. */
export function humane(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim();
  if (words === "") return name;
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
}

export function isTable(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.slice(0, LOOKED_AT).every(isObject);
}

/** Numbers by size, texts as people sort them, what is missing last. */
export function compare(a: unknown, b: unknown): number {
  const [emptyA, emptyB] = [a, b].map((value) => value === undefined || value === null);
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  return text(a).localeCompare(text(b), undefined, { numeric: true });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
