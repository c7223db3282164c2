// What the pages of authoring show is in their URL.
export const TABS = ["tenant", "code"] as const;
export const STATES = ["active", "deprecated", "blocked", "archived"] as const;
export const SECTIONS = ["identity", "visibility", "schema", "execution", "versions", "lifecycle", "source"] as const;

export type Section = (typeof SECTIONS)[number];

export interface AuthoringSearch {
  tab?: (typeof TABS)[number];
  search?: string;
  state?: (typeof STATES)[number];
}

export interface EditorSearch {
  section?: Section;
  /** Two versions side by side. */
  from?: string;
  to?: string;
}

export interface NewToolSearch extends EditorSearch {
  /** Whose definition the new tool begins with. */
  copy?: string;
}

const LONGEST = 200;

function text(value: unknown): string | undefined {
  const given = typeof value === "number" ? String(value) : value;
  return typeof given === "string" && given !== "" ? given.slice(0, LONGEST) : undefined;
}

function among<const T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}

export function compact<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;
}

export function parseList(raw: Record<string, unknown>): AuthoringSearch {
  return compact({ tab: among(TABS, raw.tab), search: text(raw.search), state: among(STATES, raw.state) });
}

export function parseEditor(raw: Record<string, unknown>): EditorSearch {
  return compact({ section: among(SECTIONS, raw.section), from: text(raw.from), to: text(raw.to) });
}

export function parseNew(raw: Record<string, unknown>): NewToolSearch {
  return compact({ ...parseEditor(raw), copy: text(raw.copy) });
}
