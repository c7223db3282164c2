import { useQuery } from "@tanstack/react-query";

import { personQuery } from "@/api/queries";

import { useAccess } from "./access";
import { useT } from "./messages";
import { agentsQuery, apiKeysQuery } from "./queries";

/** Whoever an id stands for, by name where one may know it. */
export function Who({ id }: { id: string }) {
  const t = useT();
  const { me } = useAccess();
  if (id === "system") return t("system");
  if (id === me.user?.id || id === me.principal) return me.user?.name ?? t("you");
  if (id.startsWith("usr_")) return <Person id={id} />;
  if (id.startsWith("agt_")) return <Agent id={id} />;
  if (id.startsWith("key_")) return <Key id={id} />;
  return <Id id={id} />;
}

function Person({ id }: { id: string }) {
  const { seesPeople } = useAccess();
  const { data } = useQuery({ ...personQuery(id), enabled: seesPeople });
  return data?.name ?? <Id id={id} />;
}

function Agent({ id }: { id: string }) {
  const t = useT();
  const { seesAgents } = useAccess();
  const { data } = useQuery({ ...agentsQuery, enabled: seesAgents });
  const agent = data?.find((one) => one.id === id);
  return agent ? t("agent", { name: agent.display_name }) : <Id id={id} />;
}

function Key({ id }: { id: string }) {
  const t = useT();
  const { seesKeys } = useAccess();
  const { data } = useQuery({ ...apiKeysQuery, enabled: seesKeys });
  const key = data?.find((one) => one.id === id);
  return key ? t("key", { name: key.name }) : <Id id={id} />;
}

function Id({ id }: { id: string }) {
  return (
    <code className="font-mono text-xs" title={id}>
      {id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id}
    </code>
  );
}
