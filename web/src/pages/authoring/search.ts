// What the pages of authoring show is in their URL.
import { among, text } from "@/parts/search/params";

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

export function parseList(raw: Record<string, unknown>): AuthoringSearch {
  return { tab: among(TABS, raw.tab), search: text(raw.search), state: among(STATES, raw.state) };
}

export function parseEditor(raw: Record<string, unknown>): EditorSearch {
  return { section: among(SECTIONS, raw.section), from: text(raw.from), to: text(raw.to) };
}

export function parseNew(raw: Record<string, unknown>): NewToolSearch {
  return { ...parseEditor(raw), copy: text(raw.copy) };
}
