import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { asProblem } from "@/api/problem";
import { keys } from "@/api/queries";
import { notify } from "@/app/notify";

import { dropDraft } from "./compose/draft";
import { useT } from "./messages";
import { messagesQuery } from "./queries";

/** What one can do in a thread: say something, ask again, stop the answer. */
export function useTalk(thread: string) {
  const t = useT();
  const queryClient = useQueryClient();
  const params = { path: { id: thread } };
  const { queryKey } = messagesQuery(thread);
  /** Asks anew, also where an answer is under way already: that one may be from before. */
  const reread = async () => {
    await queryClient.refetchQueries({ queryKey, exact: true });
    return queryClient.getQueryData(queryKey) ?? [];
  };
  const settled = () => void queryClient.invalidateQueries({ queryKey: [...keys.threads, "list"] });
  /** A conflict is not a failure: the agent still answers, perhaps to another window. */
  const told = (thrown: unknown) => (asProblem(thrown).isConflict && typeof asProblem(thrown).body.run_id === "string" ? notify.info(t("busy"), { detail: t("busy.detail") }) : notify.failed(thrown));

  const say = useMutation({
    mutationFn: async (text: string): Promise<{ isKept: boolean }> => {
      const content = text.trim();
      const before = queryClient.getQueryData(queryKey)?.length ?? 0;
      try {
        await data(api.POST("/api/threads/{id}/messages", { params, body: { content } }));
        dropDraft(thread, text);
        await reread();
        return { isKept: true };
      } catch (thrown) {
        told(thrown);
        // A run that a rule turned away leaves the message in the conversation, with the reason as its answer.
        const messages = await reread();
        const isKept = messages.slice(before).some((message) => message.role === "user" && message.content === content);
        if (isKept) dropDraft(thread, text);
        return { isKept };
      }
    },
    onSettled: settled,
    meta: { quiet: true },
  });

  const retry = useMutation({
    mutationFn: async (messageId: string) => {
      await data(api.POST("/api/threads/{id}/retry", { params, body: { message_id: messageId } }));
      await reread();
    },
    onError(thrown) {
      told(thrown);
      void reread();
    },
    onSettled: settled,
    meta: { quiet: true },
  });

  const stop = useMutation({
    mutationFn: (runId: string) => data(api.POST("/api/runs/{id}/cancel", { params: { path: { id: runId } } })),
    onSettled: reread,
  });
  return { say, retry, stop };
}
