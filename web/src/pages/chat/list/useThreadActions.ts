import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys } from "@/api/queries";
import { notify } from "@/app/notify";

import { useT } from "../messages";
import { threadQuery, type Thread } from "../queries";

interface ThreadPatch {
  id: string;
  title?: string;
  archived?: boolean;
}

/** Renames, archives and opens again. Nothing is deleted, so archiving needs no question: the toast takes it back. */
export function useThreadActions() {
  const t = useT();
  const queryClient = useQueryClient();
  const patch = useMutation({
    // What is told stands here and not at the call: a row that is gone from the list by then would tell nothing.
    mutationFn: ({ patch: { id, ...body } }: { patch: ThreadPatch; tell: () => void }) => data(api.PATCH("/api/threads/{id}", { params: { path: { id } }, body })),
    onSuccess(thread, { tell }) {
      queryClient.setQueryData(threadQuery(thread.id).queryKey, thread);
      void queryClient.invalidateQueries({ queryKey: [...keys.threads, "list"] });
      tell();
    },
  });
  const change = (next: ThreadPatch, tell: () => void) => patch.mutateAsync({ patch: next, tell });
  const reopen = ({ id }: Thread) => void change({ id, archived: false }, () => notify.done(t("reopened"))).catch(() => undefined);
  const archive = (thread: Thread) =>
    void change({ id: thread.id, archived: true }, () => notify.done(t("archived"), { undo: () => reopen(thread), detail: t("archived.detail") })).catch(() => undefined);
  const rename = (thread: Thread, title: string) => {
    const back = () => void change({ id: thread.id, title: thread.title ?? "" }, () => undefined).catch(() => undefined);
    return change({ id: thread.id, title }, () => notify.done(t("renamed"), { undo: back }));
  };
  return { reopen, archive, rename, isBusy: patch.isPending };
}
