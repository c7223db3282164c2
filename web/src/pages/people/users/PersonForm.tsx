import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";

import { workspacesQuery } from "@/api/queries";
import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import { useChangePerson, type Person, type PersonChange } from "../queries";
import { useRoleOptions } from "../roles/useRoleOptions";
import { CheckList } from "./CheckList";
import { PasswordField } from "./PasswordField";

/** Name, roles, teams, and a new password. Only what was changed is sent; the toast can take it back, but for the password. */
export function PersonForm({ person, readOnly }: { person: Person; readOnly: boolean }) {
  const t = useT();
  const roles = useRoleOptions();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const save = useChangePerson(true);
  const takeBack = useChangePerson();
  const [name, setName] = useState(person.name);
  const [hasRoles, setHasRoles] = useState(person.roles);
  const [isIn, setIsIn] = useState(person.workspaces);
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change: PersonChange = {
      ...(name.trim() !== person.name && { name }),
      ...(!isSame(hasRoles, person.roles) && { roles: hasRoles }),
      ...(!isSame(isIn, person.workspaces) && { workspaces: isIn }),
      ...(password !== "" && { password }),
    };
    const before: PersonChange = { name: person.name, roles: person.roles, workspaces: person.workspaces };
    const undo = () => {
      takeBack.mutate({ id: person.id, change: before });
      setName(person.name);
      setHasRoles(person.roles);
      setIsIn(person.workspaces);
    };
    save.mutate(
      { id: person.id, change },
      {
        onSuccess: () => {
          setPassword("");
          notify.done(t("people.saved", { name: name.trim() }), password === "" ? { undo } : {});
        },
      },
    );
  };
  const isChanged = name.trim() !== person.name || !isSame(hasRoles, person.roles) || !isSame(isIn, person.workspaces) || password !== "";
  return (
    <form className="grid gap-5" onSubmit={submit}>
      <Field id="person-name" label={t("people.name")}>
        <Input id="person-name" value={name} onChange={(event) => setName(event.target.value)} required maxLength={120} readOnly={readOnly} />
      </Field>
      <CheckList label={t("people.column.roles")} options={roles} chosen={hasRoles} onChange={setHasRoles} disabled={readOnly} />
      {workspaces.length > 0 && (
        <CheckList label={t("people.column.workspaces")} options={workspaces.map(({ id, name: label }) => ({ value: id, label }))} chosen={isIn} onChange={setIsIn} disabled={readOnly} />
      )}
      {!readOnly && (
        <>
          <PasswordField label={t("people.newPassword")} help={t("people.newPassword.help")} value={password} onChange={setPassword} />
          <Refusal error={save.error} />
          <Button type="submit" className="justify-self-start" busy={save.isPending} disabled={!isChanged}>
            {t("save")}
          </Button>
        </>
      )}
    </form>
  );
}

function isSame(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}
