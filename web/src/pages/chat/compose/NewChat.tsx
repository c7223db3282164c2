import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";

import { api, data } from "@/api/client";
import { keys, type Agent } from "@/api/queries";
import { notify } from "@/app/notify";
import { Failed, Loading } from "@/parts/states/states";

import { useT } from "../messages";
import { useAgents } from "../queries";
import { titleOf } from "../turns";
import { AgentPicker } from "./AgentPicker";
import { Composer } from "./Composer";
import { keepDraft, useDraft } from "./draft";
import { NoAgents } from "./NoAgents";

const route = getRouteApi("/shell/chat");

/** Whom to talk to, and the first message: it begins the thread. */
export function NewChat() {
  const t = useT();
  const agents = useAgents();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { agent: handle } = route.useSearch();
  const draft = useDraft("new");
  const agent = agents.active.find((one) => one.handle === handle || one.id === handle) ?? (agents.active.length === 1 ? agents.active[0] : undefined);
  const begin = useMutation({
    mutationFn: async ({ agentId, content }: { agentId: string; content: string }) => {
      const thread = await data(api.POST("/api/threads", { body: { agent: agentId, title: titleOf(content) } }));
      // The thread is there from here on: what cannot be said in it stays in its composer.
      keepDraft("new", "");
      try {
        await data(api.POST("/api/threads/{id}/messages", { params: { path: { id: thread.id } }, body: { content } }));
      } catch (thrown) {
        keepDraft(thread.id, content);
        notify.failed(thrown);
      }
      return thread;
    },
    onSuccess(thread) {
      void queryClient.invalidateQueries({ queryKey: [...keys.threads, "list"] });
      void navigate({ to: "/chat/$thread", params: { thread: thread.id }, search: {} });
    },
  });
  if (agents.isLoading) return <Loading />;
  if (agents.active.length === 0) return agents.error ? <Failed error={agents.error} onRetry={agents.retry} /> : <NoAgents />;
  const choose = (chosen: Agent) => void navigate({ to: "/chat", search: (old) => ({ ...old, agent: chosen.handle }), replace: true });
  const send = () => agent && begin.mutate({ agentId: agent.id, content: draft.text.trim() });
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div>
        <h2 className="text-base font-semibold">{t("new.title")}</h2>
        <p className="text-sm text-muted-foreground">{t("new.lead")}</p>
      </div>
      <AgentPicker agents={agents.active} value={agent} onChange={choose} />
      <Composer
        label={agent ? t("say", { name: agent.display_name }) : t("say.first")}
        text={draft.text}
        onChange={draft.change}
        onSend={send}
        blocked={agent ? undefined : t("agent.needed")}
        isSending={begin.isPending}
        autoFocus={handle !== undefined}
      />
    </div>
  );
}
