/** One line of two texts held against each other. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this the whole of both is shown: nobody reads such a difference line by line. */
const MOST_CELLS = 4_000_000;

/** The lines of two texts: what they share, what went, what came. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: "same", text }));
  return [...same(a.slice(0, start)), ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)), ...same(a.slice(a.length - end))];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (a.length * b.length > MOST_CELLS) return [...a.map(removed), ...b.map(added)];
  // The longest common lines, from the end.
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found.push({ kind: "same", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) found.push(removed(a[i++] ?? ""));
    else found.push(added(b[j++] ?? ""));
  }
  return [...found, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}

const AROUND = 3;

/** Only what changed, with a few lines around it. A gap is `undefined`. */
export function folded(lines: readonly DiffLine[]): (DiffLine | undefined)[] {
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== "same"));
  return lines.flatMap((line, index) => (near[index] ? [line] : near[index - 1] === true || index === 0 ? [undefined] : []));
}
