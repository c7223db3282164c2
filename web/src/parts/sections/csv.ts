import type { Row } from "./rows";

/** RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe before it: the data came from a tool. */
export function csvOf(rows: Row[], columns: string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => cells.map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
