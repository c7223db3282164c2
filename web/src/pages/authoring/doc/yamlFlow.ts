// Values that stand on one line: `{a: 1}`, `[x, "y"]`, quoted and plain texts, numbers.
import type { Doc } from "./json";

/** What can be wrong with a line; the catalogue has the words. */
export type Fault = "anchors" | "behind" | "escape" | "nowhere" | "noKey" | "twice" | "tooFar" | "open" | "tabs";

export class YamlError extends Error {
  constructor(
    readonly fault: Fault,
    readonly line: number,
    /** The piece of the line that it is about. */
    readonly part = "",
  ) {
    super(`${fault} in line ${line}`);
  }
}

export function fail(fault: Fault, line: number, part?: string): never {
  throw new YamlError(fault, line, part);
}

export function readScalar(text: string, line: number): unknown {
  const plain = text.replace(/\s+#.*$/, "").trim();
  if (/^[&*!]/.test(plain)) fail("anchors", line);
  if (plain === "" || plain === "~" || plain === "null") return null;
  if (plain === "true" || plain === "false") return plain === "true";
  if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(plain)) return Number(plain);
  return plain;
}

/** A key and what stands behind its colon; nothing when the line has no key. */
export function keyOf(text: string, line: number): { key: string; rest: string } | undefined {
  if (/^["']/.test(text)) {
    const read = new Flow(text, line).quoted();
    if (read === undefined || !/^\s*:(\s|$)/.test(text.slice(read.end))) return undefined;
    return { key: read.value, rest: behind(text.slice(read.end).replace(/^\s*:/, "")) };
  }
  if (/^[[{]/.test(text)) return undefined;
  const match = /^([^\s#&*!|>%@`"'[\]{},-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$/.exec(text);
  return match?.[1] === undefined ? undefined : { key: match[1], rest: behind(match[2] ?? "") };
}

const behind = (rest: string) => (rest.trim().startsWith("#") ? "" : rest.trim());

/** The value of a flow or of a quoted text, once it is whole. */
export function readFlow(text: string, line: number): { value: unknown } | undefined {
  const flow = new Flow(text, line);
  const value = flow.value();
  if (value === OPEN) return undefined;
  const rest = text.slice(flow.at).trim();
  if (rest !== "" && !rest.startsWith("#")) fail("behind", line, rest.slice(0, 20));
  return { value };
}

const OPEN = Symbol("not closed yet");

class Flow {
  at = 0;
  constructor(
    private readonly text: string,
    private readonly line: number,
  ) {}

  private skip(): string {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
    return this.text[this.at] ?? "";
  }

  value(): unknown {
    const first = this.skip();
    if (first === "") return OPEN;
    if (first === "{") return this.map();
    if (first === "[") return this.list();
    if (first === '"' || first === "'") {
      const read = this.quoted();
      if (read === undefined) return OPEN;
      this.at = read.end;
      return read.value;
    }
    return readScalar(this.plain(/[,\]}]/), this.line);
  }

  private plain(stop: RegExp): string {
    const begin = this.at;
    while (this.at < this.text.length && !stop.test(this.text[this.at] ?? "")) this.at += 1;
    return this.text.slice(begin, this.at).trim();
  }

  private list(): unknown {
    const items: unknown[] = [];
    this.at += 1;
    for (;;) {
      const next = this.skip();
      if (next === "") return OPEN;
      if (next === "]") break;
      const item = this.value();
      if (item === OPEN) return OPEN;
      items.push(item);
      if (this.skip() === ",") this.at += 1;
      else if (this.skip() !== "]") return OPEN;
    }
    this.at += 1;
    return items;
  }

  private map(): unknown {
    const members: Doc = {};
    this.at += 1;
    for (;;) {
      const next = this.skip();
      if (next === "") return OPEN;
      if (next === "}") break;
      const quoted = next === '"' || next === "'" ? this.quoted() : undefined;
      if (quoted) this.at = quoted.end;
      const key = quoted?.value ?? this.plain(/[:,}]/);
      const hasValue = this.skip() === ":";
      if (hasValue) this.at += 1;
      const after = this.skip();
      if (after === "") return OPEN;
      const value = !hasValue || after === "," || after === "}" ? null : this.value();
      if (value === OPEN) return OPEN;
      members[key] = value;
      if (this.skip() === ",") this.at += 1;
      else if (this.skip() !== "}") return OPEN;
    }
    this.at += 1;
    return members;
  }

  /** The quoted text that begins here, and where it ends. */
  quoted(): { value: string; end: number } | undefined {
    const rest = this.text.slice(this.at);
    const match = rest.startsWith('"') ? /^"(?:[^"\\]|\\.)*"/.exec(rest) : /^'(?:[^']|'')*'/.exec(rest);
    if (!match) return undefined;
    const end = this.at + match[0].length;
    if (match[0].startsWith("'")) return { value: match[0].slice(1, -1).replaceAll("''", "'"), end };
    try {
      return { value: JSON.parse(match[0]) as string, end };
    } catch {
      return fail("escape", this.line);
    }
  }
}
