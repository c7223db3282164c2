import { useQuery } from "@tanstack/react-query";

import { everyAgentQuery, everyPersonQuery, living } from "@/api/every";
import { Combobox } from "@/ui/combobox";
import { Field } from "@/ui/label";

import { useAccess } from "../shared/access";
import { Choices } from "../shared/Choices";
import { useT } from "./messages";

export interface Holder {
  kind: "program" | "agent" | "person" | "service";
  agent: string | undefined;
  person: string | undefined;
}

/** Whom the key speaks for: exactly one of them. */
export function HolderFields({ holder, onChange }: { holder: Holder; onChange(holder: Holder): void }) {
  const t = useT();
  const { seesAgents, seesPeople } = useAccess();
  const { data: agents = [] } = useQuery({ ...everyAgentQuery, select: living, enabled: seesAgents && holder.kind === "agent" });
  const { data: people = [] } = useQuery({ ...everyPersonQuery, enabled: seesPeople && holder.kind === "person" });
  return (
    <>
      <Choices
        label={t("form.for")}
        value={holder.kind}
        onChange={(kind) => onChange({ ...holder, kind })}
        choices={(["program", "agent", "person", "service"] as const).map((value) => ({ value, label: t(`form.for.${value}`), help: t(`form.for.${value}.help`) }))}
      />
      {holder.kind === "agent" && (
        <Field id="key-agent" label={t("form.agent")}>
          <Combobox id="key-agent" label={t("form.agent")} value={holder.agent} placeholder={t("form.choose")} onChange={(agent) => onChange({ ...holder, agent })} options={agents.map(({ id, display_name: label }) => ({ value: id, label }))} />
        </Field>
      )}
      {holder.kind === "person" && (
        <Field id="key-person" label={t("form.person")}>
          <Combobox id="key-person" label={t("form.person")} value={holder.person} placeholder={t("form.choose")} onChange={(person) => onChange({ ...holder, person })} options={people.map(({ id, name, email }) => ({ value: id, label: name, detail: <span className="text-xs text-muted-foreground">{email}</span> }))} />
        </Field>
      )}
    </>
  );
}
