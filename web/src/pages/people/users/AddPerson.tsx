import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { workspacesQuery } from "@/api/queries";
import { notify } from "@/app/notify";
import { waysQuery } from "@/app/session";
import { FormDialog, textOf } from "@/parts/dialog/FormDialog";
import { ShownOnce } from "@/parts/dialog/ShownOnce";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import { useAddPerson } from "../queries";
import { useRoleOptions } from "../roles/useRoleOptions";
import { CheckList } from "./CheckList";
import { PasswordField } from "./PasswordField";

/** Enters somebody. Nothing is sent to them: with a password, whoever entered them tells it; without one they sign in elsewhere. */
export function AddPerson({ onClose }: { onClose(): void }) {
  const t = useT();
  const add = useAddPerson();
  const { data: ways } = useQuery(waysQuery);
  const roles = useRoleOptions();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const [chosenRoles, setChosenRoles] = useState(["member"]);
  const [chosenWorkspaces, setChosenWorkspaces] = useState<string[]>([]);
  const [password, setPassword] = useState("");
  const submit = (form: FormData) =>
    add.mutate(
      { email: textOf(form, "email"), name: textOf(form, "name"), roles: chosenRoles, workspaces: chosenWorkspaces, ...(password !== "" && { password }) },
      {
        onSuccess: ({ name }) => {
          if (password !== "") return;
          notify.done(t("people.added", { name }));
          onClose();
        },
      },
    );
  if (add.data && password !== "") {
    const { name, email } = add.data;
    return (
      <ShownOnce
        title={t("people.added", { name })}
        description={t("people.tell")}
        secrets={[
          { label: t("people.tell.where"), value: window.location.origin },
          { label: t("people.email"), value: email },
          { label: t("people.password"), value: password },
        ]}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title={t("people.add")} description={t("people.add.text")} action={t("people.add.action")} busy={add.isPending} error={add.error} onSubmit={submit} onClose={onClose}>
      <Field id="new-name" label={t("people.name")}>
        <Input id="new-name" name="name" required maxLength={120} autoComplete="off" autoFocus />
      </Field>
      <Field id="new-email" label={t("people.email")}>
        <Input id="new-email" name="email" type="email" required maxLength={254} autoComplete="off" />
      </Field>
      <CheckList label={t("people.column.roles")} options={roles} chosen={chosenRoles} onChange={setChosenRoles} />
      {workspaces.length > 0 && <CheckList label={t("people.column.workspaces")} options={workspaces.map(({ id, name }) => ({ value: id, label: name }))} chosen={chosenWorkspaces} onChange={setChosenWorkspaces} />}
      <PasswordField label={t("people.password")} help={t(ways?.oidc ? "people.password.oidc" : "people.password.help")} value={password} onChange={setPassword} />
    </FormDialog>
  );
}
