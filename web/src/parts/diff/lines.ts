// What changed between two texts, line by line: the longest common subsequence of what is left between their equal ends.
export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** A stretch of equal lines that nobody needs to read. */
export interface Fold {
  kind: "fold";
  count: number;
}

/** Above this many comparisons the middle counts as replaced: a page must not stand still over it. */
const MOST_STEPS = 4_000_000;
const CONTEXT = 3;
/** Fewer equal lines than this are shown: a fold would take as much room. */
const LEAST_FOLD = 3;

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

function middle(old: string[], now: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (old.length === 0 || now.length === 0 || old.length * now.length > MOST_STEPS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      common[row * width + column] = old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]];
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

/** Leaves a few equal lines around each change, and says how many it left out. */
export function folded(lines: DiffLine[], context = CONTEXT): (DiffLine | Fold)[] {
  const near = new Array<boolean>(lines.length).fill(false);
  lines.forEach(({ kind }, index) => {
    if (kind !== "same") near.fill(true, Math.max(0, index - context), Math.min(lines.length, index + context + 1));
  });
  const shown: (DiffLine | Fold)[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && !near[end]) end += 1;
    if (end - at >= LEAST_FOLD) shown.push({ kind: "fold", count: end - at });
    else shown.push(...lines.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return shown;
}
