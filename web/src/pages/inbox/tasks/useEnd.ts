import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { useMe } from "@/app/session";
import { useT as usePeopleT } from "@/parts/people/messages";
import { kindOf, nameOf } from "@/parts/people/principal";

import { useT } from "../messages";
import type { Task } from "../queries";

export interface End {
  title: string;
  detail: string | undefined;
}

/** How a task ended, in words: who completed or cancelled it and why, or that the call took it back. */
export function useEnd(): (task: Task) => Promise<End> {
  const t = useT();
  const people = usePeopleT();
  const me = useMe();
  const queryClient = useQueryClient();
  return useCallback(
    async ({ title, status, worked_by: by, reason }: Task) => {
      if (status === "cancelled" && kindOf(by ?? "") === "system") return { title: t("task.end.withdrawn", { title }), detail: t("task.end.withdrawn.detail") };
      const who = by ? ((await nameOf(queryClient, me, by)) ?? people(kindOf(by))) : people("somebody");
      return { title: t(status === "completed" ? "task.end.completed" : "task.end.cancelled", { who, title }), detail: reason ?? undefined };
    },
    [t, people, me, queryClient],
  );
}
