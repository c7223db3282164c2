import { useQuery } from "@tanstack/react-query";

import { everyPersonQuery } from "@/api/every";
import { useMe } from "@/app/session";
import { useWorkspace } from "@/app/workspace";
import { Principal } from "@/parts/people/Principal";
import { Combobox } from "@/ui/combobox";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { useForm } from "./form";
import { Section } from "./Section";

export function BelongingSection() {
  const t = useT();
  return (
    <Section title={t("belonging")} text={t("belonging.text")}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <OwnerField />
        <WorkspaceField />
      </div>
    </Section>
  );
}

/** Who may not list people can still keep the owner, or be it. */
function OwnerField() {
  const t = useT();
  const me = useMe();
  const { draft, change, isReadOnly, isNew, refused } = useForm();
  const mayChoose = me.may("people.tenant.read") && !isReadOnly;
  const { data: people = [] } = useQuery({ ...everyPersonQuery, enabled: mayChoose });
  const id = "agent-owner";
  if (mayChoose) {
    const options = people.filter(({ status }) => status === "active").map(({ id: value, name, email }) => ({ value, label: name, detail: <span className="max-w-40 truncate text-xs text-muted-foreground">{email}</span> }));
    return (
      <Field id={id} label={t("column.owner")} help={t(isNew ? "owner.help.new" : "owner.help")} error={refused.owner}>
        <Combobox id={id} label={t("column.owner")} value={draft.owner || undefined} options={options} placeholder={t(isNew ? "owner.me" : "owner.none")} onChange={(owner) => change({ owner: owner ?? "" })} className="max-md:min-h-11" />
      </Field>
    );
  }
  return (
    <div className="grid content-start gap-1.5 text-sm">
      <span className="font-medium">{t("column.owner")}</span>
      <span className="py-1.5">{draft.owner ? <Principal id={draft.owner} /> : t(isNew ? "owner.me" : "owner.none")}</span>
      <span className="text-xs text-muted-foreground">{t(isNew ? "owner.help.new" : "owner.help")}</span>
    </div>
  );
}

function WorkspaceField() {
  const t = useT();
  const { all } = useWorkspace();
  const { draft, change, isReadOnly, refused } = useForm();
  const id = "agent-workspace_id";
  const isKnown = draft.workspace_id === "" || all.some((one) => one.id === draft.workspace_id);
  return (
    <Field id={id} label={t("column.workspace")} help={t("workspace.help")} error={refused.workspace_id}>
      <NativeSelect id={id} value={draft.workspace_id} disabled={isReadOnly} aria-describedby={`${id}-help`} onChange={(event) => change({ workspace_id: event.target.value })}>
        <option value="">{t("workspace.none")}</option>
        {!isKnown && <option value={draft.workspace_id}>{draft.workspace_id}</option>}
        {all.map(({ id: value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
