// Two texts against each other, line by line.

export interface Line {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Runs of equal lines are folded, but for a few around each change. */
export type Block = { kind: "lines"; lines: Line[] } | { kind: "folded"; lines: Line[] };

const AROUND = 3;
/** Beyond this many comparisons a diff takes longer than anybody waits. */
const MOST_CELLS = 4_000_000;

export function lineDiff(before: string, after: string): Line[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ kind: "same", text }));
  const middle = changed(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

/** The longest common subsequence, walked from its end to its beginning. */
function changed(old: string[], fresh: string[]): Line[] {
  const removed = (text: string): Line => ({ kind: "removed", text });
  const added = (text: string): Line => ({ kind: "added", text });
  if (old.length * fresh.length > MOST_CELLS) return [...old.map(removed), ...fresh.map(added)];
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [left, right] = [old[row], fresh[column]];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(left));
      row += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      column += 1;
    }
  }
  return lines;
}

export function folded(lines: Line[]): Block[] {
  const isNear = lines.map((_, index) => lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== "same"));
  const blocks: Block[] = [];
  lines.forEach((line, index) => {
    const kind = isNear[index] ? "lines" : "folded";
    const last = blocks.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  });
  return blocks;
}

/** Characters that cannot be seen, shown: a text must not hide something from whoever agrees to it. */
export function visible(text: string): string {
  return text.replace(/\p{Cf}/gu, (hidden) => `⟨U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
