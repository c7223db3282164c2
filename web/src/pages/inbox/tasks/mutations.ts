import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { asProblem } from "@/api/problem";
import { keys } from "@/api/queries";
import { notify } from "@/app/notify";

import { useT } from "../messages";
import type { Task } from "../queries";

function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () => Promise.all([keys.tasks, keys.invocations, keys.runs].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function useStartTask(task: Task) {
  const t = useT();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => data(api.POST("/api/tasks/{id}/start", { params: { path: { id: task.id } } })),
    onSuccess: () => notify.done(t("task.started", { title: task.title })),
    // That somebody else was faster is told as what it is.
    onError: (thrown) => (asProblem(thrown).isConflict ? notify.info(t("task.taken"), { detail: t("task.taken.detail") }) : notify.failed(thrown)),
    onSettled: refresh,
    meta: { quiet: true },
  });
}

/** The dialog shows what the server says against the result, and how the task ended where somebody was faster. */
export function useCompleteTask(task: Task, onClose: () => void) {
  const t = useT();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (result: Record<string, unknown> | undefined) =>
      data(api.POST("/api/tasks/{id}/complete", { params: { path: { id: task.id } }, body: result === undefined ? {} : { result } })),
    onSuccess() {
      notify.done(t("task.completed", { title: task.title }), { detail: task.waits ? t("task.completed.detail") : undefined });
      onClose();
    },
    onSettled: refresh,
    meta: { quiet: true },
  });
}

export function useCancelTask(task: Task, onClose: () => void) {
  const t = useT();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (reason: string) => data(api.POST("/api/tasks/{id}/cancel", { params: { path: { id: task.id } }, body: reason === "" ? {} : { reason } })),
    onSuccess() {
      notify.done(t("task.cancelled", { title: task.title }));
      onClose();
    },
    onSettled: refresh,
    meta: { quiet: true },
  });
}
