/** Markdown, as far as tools write it: headings, paragraphs, lists, code, quotes, tables and rules. What is no Markdown is text. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; isOrdered: boolean; items: string[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; text: string }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" };

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;
const NUMBER = /^\s{0,3}\d{1,9}[.)]\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  const take = (test: (line: string) => boolean): string[] => {
    const start = at;
    while (at < lines.length && test(lines[at] ?? "")) at += 1;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (FENCE.test(line)) blocks.push(code(lines, at, (end) => (at = end)));
    else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
      at += 1;
    } else if (RULE.test(line)) {
      blocks.push({ kind: "rule" });
      at += 1;
    } else if (QUOTE.test(line)) {
      const quoted = take((next) => QUOTE.test(next));
      blocks.push({ kind: "quote", text: quoted.map((next) => QUOTE.exec(next)?.[1] ?? "").join("\n") });
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const isOrdered = NUMBER.test(line);
      const test = isOrdered ? NUMBER : BULLET;
      blocks.push({ kind: "list", isOrdered, items: items(take((next) => next.trim() !== "" && (test.test(next) || /^\s{2,}\S/.test(next))), test) });
    } else if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "")) {
      const [head = "", , ...rows] = take((next) => next.includes("|"));
      blocks.push({ kind: "table", head: cells(head), rows: rows.map(cells) });
    } else {
      const text = take((next) => next.trim() !== "" && !starts(next));
      // A line that begins like a block and is none still has to be taken.
      if (text.length === 0) at += 1;
      blocks.push({ kind: "paragraph", text: text.length === 0 ? line : text.join("\n") });
    }
  }
  return blocks;
}

function starts(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || BULLET.test(line) || NUMBER.test(line);
}

function code(lines: string[], start: number, moveTo: (end: number) => void): Block {
  const fence = FENCE.exec(lines[start] ?? "")?.[1] ?? "```";
  let end = start + 1;
  while (end < lines.length && !(lines[end] ?? "").trim().startsWith(fence)) end += 1;
  moveTo(Math.min(lines.length, end + 1));
  return { kind: "code", text: lines.slice(start + 1, end).join("\n") };
}

/** A line that goes on under a bullet belongs to it. */
function items(lines: string[], bullet: RegExp): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const text = bullet.exec(line)?.[1];
    if (text !== undefined) found.push(text);
    else found.push(`${found.pop() ?? ""} ${line.trim()}`);
  }
  return found;
}

function cells(line: string): string[] {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|").map((cell) => cell.trim());
}
