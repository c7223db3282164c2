// Reads the YAML that people write in a TOOL.md: maps, lists, texts in every spelling. What it does not know (anchors, tags) it refuses,
// with its line, rather than to guess.
import type { Doc } from "./json";
import { fail, keyOf, readFlow, readScalar, YamlError } from "./yamlFlow";

export { YamlError };

interface Line {
  indent: number;
  text: string;
  number: number;
}

class Reader {
  private at = 0;
  constructor(
    private readonly lines: Line[],
    private readonly raw: string[],
  ) {}

  document(): unknown {
    const value = this.lines.length === 0 ? null : this.node(this.lines[0]?.indent ?? 0);
    const rest = this.lines[this.at];
    if (rest) fail("nowhere", rest.number);
    return value;
  }

  private node(indent: number): unknown {
    const line = this.lines[this.at];
    if (!line || line.indent < indent) return null;
    if (/^-(\s|$)/.test(line.text)) return this.list(line.indent);
    if (keyOf(line.text, line.number)) return this.map(line.indent);
    this.at += 1;
    return this.inline(line.text, line);
  }

  private list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.lines[this.at]; line?.indent === indent && /^-(\s|$)/.test(line.text); line = this.lines[this.at]) {
      const rest = line.text.slice(1);
      const inner = rest.trimStart();
      if (inner === "") {
        this.at += 1;
        items.push(this.node(indent + 1));
        continue;
      }
      // `- key: value` opens a map two or more columns further in.
      if (/^-(\s|$)/.test(inner) || keyOf(inner, line.number)) {
        this.lines[this.at] = { ...line, indent: indent + 1 + (rest.length - inner.length), text: inner };
        items.push(this.node(indent + 1));
      } else {
        this.at += 1;
        items.push(this.value(inner, line));
      }
    }
    return items;
  }

  private map(indent: number): Doc {
    const members: Doc = {};
    for (let line = this.lines[this.at]; line?.indent === indent; line = this.lines[this.at]) {
      const found = keyOf(line.text, line.number);
      if (!found) return fail("noKey", line.number);
      if (Object.hasOwn(members, found.key)) fail("twice", line.number, found.key);
      this.at += 1;
      const next = this.lines[this.at];
      const opensList = next?.indent === indent && /^-(\s|$)/.test(next.text);
      members[found.key] = found.rest === "" ? (opensList ? this.list(indent) : next && next.indent > indent ? this.node(indent + 1) : null) : this.value(found.rest, line);
    }
    const line = this.lines[this.at];
    if (line && line.indent > indent) fail("tooFar", line.number);
    return members;
  }

  /** What stands behind a key or a dash: also a text that goes on below. */
  private value(text: string, line: Line): unknown {
    const header = /^([|>])([+-]?)\s*(#.*)?$/.exec(text);
    if (header) return this.block(line, header[1] === ">", header[2] ?? "");
    return this.inline(text, line);
  }

  private inline(text: string, line: Line): unknown {
    let whole = text;
    const isFlow = /^[[{"']/.test(text);
    // A flow or a quoted text may go on on the next lines; a plain one on lines further in.
    for (;;) {
      const read = isFlow ? readFlow(whole, line.number) : undefined;
      if (read !== undefined) return read.value;
      const next = this.lines[this.at];
      if (!next || next.indent <= line.indent) break;
      if (!isFlow && keyOf(next.text, next.number)) fail("tooFar", next.number);
      whole += ` ${next.text}`;
      this.at += 1;
    }
    if (isFlow) return fail("open", line.number);
    return readScalar(whole, line.number);
  }

  private block(line: Line, isFolded: boolean, chomp: string): string {
    const found: string[] = [];
    let own = -1;
    let number = line.number;
    for (; number < this.raw.length; number += 1) {
      const text = this.raw[number] ?? "";
      const indent = text.length - text.trimStart().length;
      if (text.trim() !== "" && own < 0) own = indent;
      if (text.trim() !== "" && (indent <= line.indent || indent < own)) break;
      found.push(text.slice(Math.max(own, 0)));
    }
    while ((this.lines[this.at]?.number ?? Infinity) <= number) this.at += 1;
    const body = found.join("\n").replace(/\n+$/, "");
    const folded = isFolded ? body.replace(/([^\n])\n(?=[^\n ])/g, "$1 ").replace(/\n\n/g, "\n") : body;
    if (chomp === "+") return `${isFolded ? folded : found.join("\n")}\n`;
    return chomp === "-" || folded === "" ? folded : `${folded}\n`;
  }
}

export function fromYaml(text: string): unknown {
  const raw = text.split(/\r?\n/);
  const lines = raw.flatMap((line, index): Line[] => {
    const trimmed = line.trimStart();
    if (/^\s*\t/.test(line)) fail("tabs", index + 1);
    return trimmed === "" || trimmed.startsWith("#") ? [] : [{ indent: line.length - trimmed.length, text: trimmed.trimEnd(), number: index + 1 }];
  });
  return new Reader(lines, raw).document();
}
