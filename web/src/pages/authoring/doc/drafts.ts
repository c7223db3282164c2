// What is being written and not yet published. It lives in this tab, and survives a reload of it.
import { isObject, type Doc } from "./json";

const PREFIX = "toolgate.authoring.";
/** More than the server takes: no tab needs it. */
const MAX_CHARS = 2_000_000;

export interface Draft {
  definition: Doc;
  /** The published version that it began with; nothing for a new tool. */
  base: string | undefined;
}

export function keptDraft(slot: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + slot) ?? "null");
    if (!isObject(kept) || !isObject(kept["definition"])) return undefined;
    return { definition: kept["definition"], base: typeof kept["base"] === "string" ? kept["base"] : undefined };
  } catch {
    return undefined;
  }
}

export function keepDraft(slot: string, draft: Draft | undefined): void {
  try {
    const text = JSON.stringify(draft);
    if (draft === undefined || text.length > MAX_CHARS) sessionStorage.removeItem(PREFIX + slot);
    else sessionStorage.setItem(PREFIX + slot, text);
  } catch {
    // Storage may be full or forbidden: then the draft lasts as long as the page.
  }
}

/** The slots of all drafts in this tab. A new tool has the empty one. */
export function keptSlots(): string[] {
  try {
    return Object.keys(sessionStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .sort();
  } catch {
    return [];
  }
}
