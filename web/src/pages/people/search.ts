// What the pages show is in their URLs.
import { among, text } from "@/parts/search/params";

export interface PeopleSearch {
  search?: string;
  status?: (typeof STATUSES)[number];
  /** The person whose drawer is open. */
  person?: string;
}

export interface WorkspacesSearch {
  /** The workspace whose drawer is open. */
  workspace?: string;
}

const STATUSES = ["active", "disabled"] as const;

export function parsePeople({ search, status, person }: Record<string, unknown>): PeopleSearch {
  return { search: text(search), status: among(STATUSES, status), person: text(person) };
}

export function parseWorkspaces({ workspace }: Record<string, unknown>): WorkspacesSearch {
  return { workspace: text(workspace) };
}

/** Whether every word begins a word of the person's name, address or roles. */
export function isFound(person: { name: string; email: string; roles: string[] }, asked: string): boolean {
  const words = [person.name, person.email, ...person.roles].join(" ").toLowerCase().split(/[\s@._-]+/);
  const parts = asked.toLowerCase().split(/[\s@._-]+/).filter(Boolean);
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}
