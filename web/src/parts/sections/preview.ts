import { isObject } from "../json/values";
import { rowsOf, type Row } from "./rows";

const MAX_ROWS = 10_000;

/** A file's content as rows: JSON by its shape, anything else as CSV. */
export function readTable(text: string, contentType: string): Row[] {
  if (contentType.includes("json") || /^\s*[[{]/.test(text)) {
    try {
      return rowsOf(largestList(JSON.parse(text) as unknown)).slice(0, MAX_ROWS);
    } catch {
      return [];
    }
  }
  const [head = [], ...lines] = parseCsv(text);
  return lines.map((cells) => Object.fromEntries(head.map((name, index) => [name || String(index + 1), cells[index] ?? ""])));
}

/** An answer that was moved into a file is an object whose longest list is what it is about. */
function largestList(value: unknown): unknown {
  if (!isObject(value)) return value;
  const lists = Object.values(value).filter((member): member is unknown[] => Array.isArray(member));
  return lists.sort((a, b) => b.length - a.length)[0] ?? value;
}

/** RFC 4180: quoted cells may hold commas, quotes and lines. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    cell = "";
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length && rows.length <= MAX_ROWS; at += 1) {
    const letter = text[at] ?? "";
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === ",") {
      row.push(cell);
      cell = "";
    } else if (letter === "\n") endRow();
    else if (letter !== "\r") cell += letter;
  }
  endRow();
  return rows.slice(0, MAX_ROWS);
}
