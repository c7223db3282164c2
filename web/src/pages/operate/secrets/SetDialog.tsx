import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { useWorkspace } from "@/app/workspace";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useAccess } from "../shared/access";
import { Choices } from "../shared/Choices";
import { useSetSecret, type Scope } from "./actions";
import { useT } from "./messages";
import { ValueField } from "./ValueField";

const SCOPES: readonly Scope[] = ["user", "workspace", "tenant"];

export function SetDialog({ name: wanted, onClose }: { name: string; onClose(): void }) {
  const t = useT();
  const { me } = useAccess();
  const { current } = useWorkspace();
  const may = (scope: Scope) => me.may(`secrets.${scope}.update`) && (scope !== "workspace" || me.workspaces.length > 0);
  const [name, setName] = useState(wanted);
  const [scope, setScope] = useState<Scope>(may("user") ? "user" : "tenant");
  const [workspace, setWorkspace] = useState(current?.id ?? me.workspaces[0]?.id ?? "");
  const [value, setValue] = useState("");
  const [hasLines, setHasLines] = useState(false);
  const set = useSetSecret();
  const why = (one: Scope) => (one === "workspace" && me.workspaces.length === 0 ? t("scope.noWorkspace") : t("scope.forbidden"));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { value, scope, ...(scope === "workspace" ? { workspace } : {}) };
    set.mutate(
      { name: name.trim(), body },
      {
        onSuccess(made) {
          notify.done(t(made.revision > 1 ? "set.replaced" : "set.done", { name: made.name }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle>{t("set")}</DialogTitle>
        <DialogDescription>{t("set.lead")}</DialogDescription>
        <form className="grid gap-4" onSubmit={submit} autoComplete="off">
          <Refusal error={set.error} />
          <Field id="secret-name" label={t("form.name")} help={t("form.name.help")}>
            <Input id="secret-name" required value={name} onChange={(event) => setName(event.target.value)} className="font-mono" aria-describedby="secret-name-help" autoComplete="off" spellCheck={false} />
          </Field>
          <ValueField value={value} onChange={setValue} hasLines={hasLines} onHasLines={setHasLines} />
          <Choices<Scope>
            label={t("scope.label")}
            value={scope}
            onChange={setScope}
            choices={SCOPES.map((one) => ({ value: one, label: one === "workspace" ? t("scope.workspaceChoice") : t(`scope.${one}`), help: may(one) ? t(`scope.${one}.help`) : why(one), disabled: !may(one) }))}
          />
          {scope === "workspace" && (
            <Field id="secret-workspace" label={t("workspace")}>
              <NativeSelect id="secret-workspace" value={workspace} onChange={(event) => setWorkspace(event.target.value)}>
                {me.workspaces.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </NativeSelect>
            </Field>
          )}
          <DialogFooter>
            <Button variant="ghost" onClick={onClose}>
              {t("cancel")}
            </Button>
            <Button type="submit" busy={set.isPending}>
              {t("form.save")}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
