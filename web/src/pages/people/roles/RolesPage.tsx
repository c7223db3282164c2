import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";

import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { rolesQuery, useDeleteRole, usePutRole, type Role } from "../queries";
import { Matrix } from "./Matrix";
import { ordered } from "./permissions";
import { RoleCards } from "./RoleCards";
import { RoleDrawer } from "./RoleDrawer";

/** Who may do what: the roles that every tenant has, and its own. */
export function RolesPage() {
  const t = useT();
  const mayChange = useMe().may("people.tenant.update");
  const isPhone = useIsPhone();
  const { data, error, refetch } = useQuery(rolesQuery);
  const [edited, setEdited] = useState<Role | "new">();
  const remove = useDeleteRole();
  const put = usePutRole();
  const roles = ordered(data ?? []);
  const onDelete = mayChange
    ? (role: Role) => remove.mutate(role.name, { onSuccess: () => notify.done(t("roles.deleted", { name: role.name }), { undo: () => put.mutate(role) }) })
    : undefined;
  const onEdit = mayChange ? setEdited : undefined;
  const View = isPhone ? RoleCards : Matrix;
  return (
    <Page
      title={t("roles.title")}
      lead={t("roles.lead")}
      actions={
        mayChange && (
          <Button onClick={() => setEdited("new")}>
            <Plus aria-hidden />
            {t("roles.add")}
          </Button>
        )
      }
    >
      {error && !data ? <Failed error={error} onRetry={() => void refetch()} /> : data ? <View roles={roles} onEdit={onEdit} onDelete={onDelete} /> : <Loading />}
      {edited !== undefined && <RoleDrawer key={edited === "new" ? "" : edited.name} role={edited === "new" ? undefined : edited} roles={roles} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}
