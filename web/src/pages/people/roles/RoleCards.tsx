import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import type { RolesViewProps } from "./Matrix";
import { PermissionName } from "./PermissionName";
import { RoleMenu } from "./RoleMenu";

/** On a phone, where a matrix has no room: each role with what it grants, folded. */
export function RoleCards({ roles, onEdit, onDelete }: RolesViewProps) {
  const t = useT();
  return (
    <ul className="grid gap-3">
      {roles.map((role) => (
        <li key={role.name}>
          <Card>
            <CardHeader className="border-b-0 pb-0">
              <CardTitle className="mr-auto break-all">{role.name}</CardTitle>
              <span className="text-xs text-muted-foreground">{t(role.built_in ? "roles.builtIn" : "roles.custom")}</span>
              {!role.built_in && onEdit && onDelete && <RoleMenu role={role} onEdit={onEdit} onDelete={onDelete} />}
            </CardHeader>
            <CardContent className="pt-1">
              {role.everything ? (
                <p className="text-muted-foreground">{t("roles.everything")}</p>
              ) : (
                <details>
                  <summary className="cursor-pointer py-3 text-link">{t("roles.count", { count: role.permissions.length })}</summary>
                  <ul className="grid gap-2">
                    {role.permissions.map((name) => (
                      <li key={name}>
                        <PermissionName name={name} />
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </CardContent>
          </Card>
        </li>
      ))}
    </ul>
  );
}
