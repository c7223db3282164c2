import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";

import { api, data } from "@/api/client";
import { keys, personQuery } from "@/api/queries";
import { useMe } from "@/app/session";
import { CopyButton } from "@/parts/copy/CopyButton";

/** A person or an agent by name, where one may know it; else by what the record says. */
export function CallerName({ caller, agentId }: { caller: string; agentId: string | undefined }) {
  const me = useMe();
  const userId = /usr_[0-9a-zA-Z-]+/.exec(caller)?.[0];
  const isMe = caller === me.principal;
  const person = useQuery({ ...personQuery(userId ?? ""), enabled: userId !== undefined && !isMe && me.may("people.tenant.read"), retry: false });
  const agent = useQuery({
    queryKey: [...keys.agents, agentId],
    queryFn: ({ signal }) => data(api.GET("/api/agents/{id}", { params: { path: { id: agentId ?? "" } }, signal })),
    enabled: agentId !== undefined && me.may("agents.tenant.read"),
    retry: false,
    staleTime: 300_000,
  });
  const name = agent.data?.display_name ?? (isMe ? me.user?.name : person.data?.name);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {agentId !== undefined && <Bot aria-hidden className="size-4 shrink-0 text-muted-foreground" />}
      <span className="min-w-0 break-all">{name ?? agentId ?? caller}</span>
      {name === undefined && <CopyButton text={agentId ?? caller} className="size-6" />}
    </span>
  );
}
