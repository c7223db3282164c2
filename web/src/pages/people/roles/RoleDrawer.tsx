import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetFooter, SheetHeader, SheetTitle } from "@/ui/sheet";

import { useT } from "../messages";
import { usePutRole, type Role } from "../queries";
import { PermissionName, useThing } from "./PermissionName";
import { permissionGroups } from "./permissions";

interface RoleDrawerProps {
  /** None: a new one. */
  role: Role | undefined;
  roles: Role[];
  onClose(): void;
}

/** A role of the tenant's own. The server refuses to let anybody grant what they do not have. */
export function RoleDrawer({ role, roles, onClose }: RoleDrawerProps) {
  const t = useT();
  const put = usePutRole(true);
  const takeBack = usePutRole();
  const [name, setName] = useState(role?.name ?? "");
  const [chosen, setChosen] = useState(role?.permissions ?? []);
  const [other, setOther] = useState("");
  const others = other.split(/[\s,]+/).filter(Boolean);
  const isTaken = role === undefined && roles.some((one) => one.name === name.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTaken) return;
    const permissions = [...new Set([...chosen, ...others])];
    const undo = role && (() => takeBack.mutate(role));
    const done = () => {
      notify.done(t("roles.saved", { name: name.trim() }), { undo });
      onClose();
    };
    put.mutate({ name: name.trim(), permissions }, { onSuccess: done });
  };
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{role ? role.name : t("roles.add")}</SheetTitle>
          <SheetDescription>{t("roles.help")}</SheetDescription>
        </SheetHeader>
        <form className="contents" onSubmit={submit}>
          <SheetBody className="grid content-start gap-5">
            {role === undefined && (
              <Field id="role-name" label={t("roles.name")} help={t("roles.name.help")} error={isTaken ? t("roles.taken") : undefined}>
                <Input id="role-name" value={name} onChange={(event) => setName(event.target.value)} required maxLength={64} pattern="[a-z0-9_\-]+" autoFocus autoComplete="off" spellCheck={false} aria-describedby="role-name-help" aria-invalid={isTaken} />
              </Field>
            )}
            <PermissionBoxes roles={roles} chosen={chosen} onChange={setChosen} />
            <Field id="role-other" label={t("roles.other")} help={t("roles.other.help")}>
              <Input id="role-other" value={other} onChange={(event) => setOther(event.target.value)} placeholder="reports.team.publish" autoComplete="off" spellCheck={false} aria-describedby="role-other-help" className="font-mono" />
            </Field>
            <Refusal error={put.error} />
          </SheetBody>
          <SheetFooter>
            <Button type="submit" busy={put.isPending}>
              {role ? t("save") : t("roles.add.action")}
            </Button>
            <Button variant="ghost" onClick={onClose}>
              {t("cancel")}
            </Button>
          </SheetFooter>
        </form>
      </SheetContent>
    </Sheet>
  );
}

function PermissionBoxes({ roles, chosen, onChange }: { roles: Role[]; chosen: string[]; onChange(chosen: string[]): void }) {
  const thingName = useThing();
  const toggle = (name: string, isOn: boolean) => onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name));
  return permissionGroups(roles, chosen).map(({ thing, names }) => (
    <fieldset key={thing} className="min-w-0">
      <legend className="pb-1 text-sm font-medium">{thingName(thing)}</legend>
      {names.map((name) => (
        <label key={name} htmlFor={`grant-${name}`} className="flex min-h-8 items-start gap-2.5 py-1 max-md:min-h-11">
          <Checkbox id={`grant-${name}`} className="mt-0.5" checked={chosen.includes(name)} onCheckedChange={(isOn) => toggle(name, isOn === true)} />
          <PermissionName name={name} />
        </label>
      ))}
    </fieldset>
  ));
}
