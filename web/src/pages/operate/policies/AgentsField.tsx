import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";

import { everyAgentQuery, living } from "@/api/every";
import { Button } from "@/ui/button";
import { Combobox } from "@/ui/combobox";
import { Field } from "@/ui/label";

import { useAccess } from "../shared/access";
import { useT } from "./messages";

interface AgentsFieldProps {
  id: string;
  chosen: string[];
  error: string | undefined;
  onChange(agents: string[]): void;
}

/** The agents that a rule binds, by name; the policy keeps their ids. */
export function AgentsField({ id, chosen, error, onChange }: AgentsFieldProps) {
  const t = useT();
  const { seesAgents } = useAccess();
  const { data: agents = [] } = useQuery({ ...everyAgentQuery, enabled: seesAgents });
  const nameOf = (agent: string) => agents.find((one) => one.id === agent)?.display_name ?? agent;
  const options = living(agents).filter((agent) => !chosen.includes(agent.id)).map((agent) => ({ value: agent.id, label: agent.display_name, detail: <span className="text-xs text-muted-foreground">{agent.handle}</span> }));
  return (
    <Field id={id} label={t("field.agents")} help={t("field.agents.help")} error={error} className="content-start">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map((agent) => (
            <li key={agent} className="flex items-center rounded-md border pl-2 text-sm">
              {nameOf(agent)}
              <Button variant="ghost" size="icon" className="size-7" aria-label={t("field.agents.remove", { name: nameOf(agent) })} onClick={() => onChange(chosen.filter((one) => one !== agent))}>
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Combobox id={id} label={t("field.agents")} value={undefined} placeholder={t("field.agents.add")} options={options} onChange={(agent) => agent !== undefined && onChange([...chosen, agent])} />
    </Field>
  );
}
