import { useQuery } from "@tanstack/react-query";

import { hasMessage, useT } from "../messages";
import { rolesQuery } from "../queries";
import { ordered } from "./permissions";

/** The roles to choose from: their names are the product's own in every language, so words say what each may do. */
export function useRoleOptions(): { value: string; label: string; detail: string }[] {
  const t = useT();
  const { data: roles = [] } = useQuery(rolesQuery);
  return ordered(roles).map(({ name, built_in: isBuiltIn }) => {
    const key = `role.${name}`;
    return { value: name, label: name, detail: isBuiltIn && hasMessage(key) ? t(key as "role.admin") : t("roles.custom") };
  });
}
