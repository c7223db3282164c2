import { isObject, isSame, type Doc } from "../doc/json";

export interface Pair {
  name: string;
  text: string;
}

/** A value as one types it: a text as it is, anything else as JSON. A text that would read as JSON stands in quotes. */
export function spelled(value: unknown): string {
  if (typeof value === "string") return typeof meant(value) === "string" && !value.startsWith('"') ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? "";
}

/** What somebody means by what they typed. */
export function meant(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(-?\d|true$|false$|null$|[[{"])/.test(trimmed)) return text;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return text;
  }
}

export function pairsOf(value: unknown): Pair[] {
  return isObject(value) ? Object.entries(value).map(([name, member]) => ({ name, text: spelled(member) })) : [];
}

/** The object that the rows stand for; a row without a name is not there yet. */
export function objectOf(pairs: readonly Pair[]): Doc | undefined {
  const named = pairs.filter(({ name }) => name !== "");
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, text }) => [name, meant(text)]));
}

export function stillMeans(pairs: readonly Pair[], value: unknown): boolean {
  return isSame(objectOf(pairs), value === undefined ? undefined : value);
}
