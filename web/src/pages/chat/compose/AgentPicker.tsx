import type { Agent } from "@/api/queries";
import { Avatar } from "@/parts/people/Avatar";
import { cn } from "@/ui/cn";
import { Combobox } from "@/ui/combobox";

import { useT } from "../messages";

/** As many as can be taken in at one glance; more are found by typing. */
const MAX_CARDS = 6;

interface Props {
  agents: Agent[];
  value: Agent | undefined;
  onChange: (agent: Agent) => void;
}

export function AgentPicker({ agents, value, onChange }: Props) {
  const t = useT();
  if (agents.length > MAX_CARDS) {
    const options = agents.map(({ id, handle, display_name: label }) => ({ value: id, label, detail: <code className="font-mono text-xs text-muted-foreground">{handle}</code> }));
    return (
      <Combobox
        label={t("agent.choose")}
        placeholder={t("agent.choose")}
        value={value?.id}
        options={options}
        onChange={(id) => {
          const chosen = agents.find((agent) => agent.id === id);
          if (chosen) onChange(chosen);
        }}
      />
    );
  }
  return (
    <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2">
      <legend className="sr-only">{t("agent.choose")}</legend>
      {agents.map((agent) => (
        <label
          key={agent.id}
          className={cn(
            "flex min-w-0 cursor-pointer items-start gap-3 rounded-lg border p-3 hover:bg-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring",
            agent.id === value?.id && "border-primary bg-accent",
          )}
        >
          <input type="radio" name="agent" value={agent.id} checked={agent.id === value?.id} onChange={() => onChange(agent)} className="sr-only" />
          <Avatar name={agent.display_name} picture={agent.avatar_url} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{agent.display_name}</span>
            <span className="line-clamp-2 text-sm break-words text-muted-foreground">{agent.bio ?? agent.persona ?? t("agent.tools", { count: agent.custom_tools.length })}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
