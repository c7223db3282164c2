// What the pages show is in their URLs.
export interface PeopleSearch {
  search?: string;
  status?: "active" | "disabled";
  /** The person whose drawer is open. */
  person?: string;
}

export interface WorkspacesSearch {
  /** The workspace whose drawer is open. */
  workspace?: string;
}

const LONGEST = 200;
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, LONGEST) : typeof value === "number" ? String(value) : undefined);

export function parsePeople({ search, status, person }: Record<string, unknown>): PeopleSearch {
  return without({ search: text(search), status: status === "active" || status === "disabled" ? status : undefined, person: text(person) });
}

export function parseWorkspaces({ workspace }: Record<string, unknown>): WorkspacesSearch {
  return without({ workspace: text(workspace) });
}

/** Without what is empty, so that the address stays short. */
export function without<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;
}

/** Whether every word begins a word of the person's name, address or roles. */
export function isFound(person: { name: string; email: string; roles: string[] }, asked: string): boolean {
  const words = [person.name, person.email, ...person.roles].join(" ").toLowerCase().split(/[\s@._-]+/);
  const parts = asked.toLowerCase().split(/[\s@._-]+/).filter(Boolean);
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}
