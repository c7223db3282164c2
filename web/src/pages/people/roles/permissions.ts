import { KNOWN_PERMISSIONS } from "../messages";
import type { Role } from "../queries";

export interface PermissionGroup {
  /** What the permissions are about: the first part of their names. */
  thing: string;
  names: string[];
}

/** All permissions that there is something to say about: the product's own, and those that some role grants, by what they are about. */
export function permissionGroups(roles: Pick<Role, "permissions">[], more: string[] = []): PermissionGroup[] {
  const own = roles.flatMap(({ permissions }) => permissions).concat(more);
  const added = [...new Set(own)].filter((name) => !KNOWN_PERMISSIONS.includes(name)).sort();
  const groups = new Map<string, string[]>();
  for (const name of [...KNOWN_PERMISSIONS, ...added]) {
    const thing = name.split(".")[0] ?? name;
    groups.set(thing, [...(groups.get(thing) ?? []), name]);
  }
  return [...groups].map(([thing, names]) => ({ thing, names }));
}

export function grants(role: Pick<Role, "everything" | "permissions">, permission: string): boolean {
  return role.everything || role.permissions.includes(permission);
}

/** The product's roles as they grow, then the tenant's own by name. */
export function ordered(roles: Role[]): Role[] {
  const rank = (role: Role) => (role.everything ? Number.MAX_SAFE_INTEGER : role.permissions.length);
  const builtIn = roles.filter((role) => role.built_in).sort((a, b) => rank(a) - rank(b));
  const own = roles.filter((role) => !role.built_in).sort((a, b) => a.name.localeCompare(b.name));
  return [...builtIn, ...own];
}
