import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";

import { notify } from "@/app/notify";
import { useMe } from "@/app/session";

import { isOver, taskQuery, type Task } from "../queries";
import { useEnd } from "./useEnd";

/** A task that leaves the list because somebody else ended it, or its call did, says so. `open`: the one whose dialog says it itself. */
export function useTellEnds(tasks: Task[] | undefined, open: string | undefined): void {
  const queryClient = useQueryClient();
  const me = useMe();
  const endOf = useEnd();
  const known = useRef<string[]>([]);
  const tell = useEffectEvent(async (id: string) => {
    if (id === open) return;
    const now = await queryClient.fetchQuery({ ...taskQuery(id), staleTime: 0 }).catch(() => undefined);
    if (!now || !isOver(now) || now.worked_by === me.principal) return;
    const { title, detail } = await endOf(now);
    notify.info(title, { detail });
  });
  useEffect(() => {
    if (tasks === undefined) return;
    const ids = tasks.map(({ id }) => id);
    const gone = known.current.filter((id) => !ids.includes(id));
    known.current = ids;
    gone.forEach((id) => void tell(id));
  }, [tasks]);
}
