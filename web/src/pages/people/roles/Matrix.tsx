import { Check } from "lucide-react";
import { Fragment } from "react";

import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/table";

import { useT } from "../messages";
import type { Role } from "../queries";
import { PermissionName, useThing } from "./PermissionName";
import { grants, permissionGroups } from "./permissions";
import { RoleMenu } from "./RoleMenu";

export interface RolesViewProps {
  roles: Role[];
  onEdit?: (role: Role) => void;
  onDelete?: (role: Role) => void;
}

/** Permissions by roles. A mark is a word for those who do not see it. */
export function Matrix({ roles, onEdit, onDelete }: RolesViewProps) {
  const t = useT();
  const thingName = useThing();
  return (
    <Table aria-label={t("roles.title")}>
      <TableHead>
        <TableRow>
          <TableHeader>{t("roles.permission")}</TableHeader>
          {roles.map((role) => (
            <TableHeader key={role.name} className="text-center">
              <span className="flex items-center justify-center gap-1">
                {role.name}
                {!role.built_in && onEdit && onDelete && <RoleMenu role={role} onEdit={onEdit} onDelete={onDelete} />}
              </span>
              <span className="block text-xs font-normal">{t(role.built_in ? "roles.builtIn" : "roles.custom")}</span>
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      {permissionGroups(roles).map(({ thing, names }) => (
        <Fragment key={thing}>
          <TableBody>
            <tr className="border-b bg-muted/40">
              <th scope="rowgroup" colSpan={roles.length + 1} className="px-3 py-1 text-left text-xs font-medium text-muted-foreground">
                {thingName(thing)}
              </th>
            </tr>
            {names.map((name) => (
              <TableRow key={name}>
                <th scope="row" className="max-w-96 min-w-64 px-3 py-1.5 text-left font-normal">
                  <PermissionName name={name} />
                </th>
                {roles.map((role) => (
                  <TableCell key={role.name} className="text-center align-middle">
                    {grants(role, name) ? (
                      <>
                        <Check aria-hidden className="inline size-4 text-good" />
                        <span className="sr-only">{t("roles.yes")}</span>
                      </>
                    ) : (
                      <span className="sr-only">{t("roles.no")}</span>
                    )}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Fragment>
      ))}
    </Table>
  );
}
