/** The two texts of a difference that the server made: `-` is gone, `+` is new, and the rest was and is. */
export function sidesOf(diff: string): { before: string; after: string } {
  const lines = diff.replace(/\n$/, "").split("\n");
  const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  return { before: without("+").join("\n"), after: without("-").join("\n") };
}
