// An event in a line: what it is about, or what of it changed.
import { changesOf } from "@/parts/changes/changes";
import type { Tone } from "@/ui/badge";

import type { AuditEvent } from "./queries";

const NAMES = ["name", "display_name", "handle", "slug", "email", "tool", "title", "reason"];
const FIELDS = 4;

export function gist({ before, after }: Pick<AuditEvent, "before" | "after">): string {
  if (before !== undefined && before !== null && after !== undefined && after !== null) {
    const paths = [...new Set(changesOf(before, after).map(({ path }) => path.split(".")[0] ?? ""))].filter((path) => path !== "" && path !== "updated_at");
    return paths.slice(0, FIELDS).join(", ") + (paths.length > FIELDS ? ", …" : "");
  }
  const value = after ?? before;
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  const named = NAMES.map((name) => (value as Record<string, unknown>)[name]).find((text) => typeof text === "string" && text !== "");
  return typeof named === "string" ? named : "";
}

/** What takes something away or goes around a rule stands out. */
export function toneOf(action: string): Tone {
  if (/\.(bypass)$/.test(action)) return "bad";
  if (/\.(delete|revoke|archive|reject|remove|purge)$/.test(action)) return "warn";
  if (/\.(create|approve|register|install)$/.test(action)) return "good";
  return "quiet";
}
