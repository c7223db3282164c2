/** JSON with its keys in order, two spaces deep: the same value is the same text, whoever wrote it. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value), null, 2) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
