import { useQuery } from "@tanstack/react-query";
import { CircleSlash } from "lucide-react";

import { useLanguage } from "@/app/i18n";

import { useT } from "../messages";
import { isOver, taskQuery, type Task } from "../queries";
import { useEnd } from "./useEnd";

/** The task as it is now, once it is over; nothing until then, and while one's own answer to it is on its way. */
export function useOver(task: Task, isAnswering: boolean): Task | undefined {
  const { data: now } = useQuery(taskQuery(task.id));
  return now && isOver(now) && !isAnswering ? now : undefined;
}

/** Inside a dialog about a task that ended meanwhile: what was written stays to be copied, and goes nowhere. */
export function Over({ task }: { task: Task }) {
  const t = useT();
  const endOf = useEnd();
  const language = useLanguage();
  const { data: end } = useQuery({ queryKey: ["task-end", task.id, language], queryFn: () => endOf(task), staleTime: Infinity });
  return (
    <div role="alert" className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 rounded-lg border border-warn bg-warn-soft p-3 text-sm text-warn">
      <CircleSlash aria-hidden className="mt-0.5 size-4" />
      <p className="min-w-0 font-medium break-words">{end?.title ?? task.title}</p>
      <p className="col-start-2 min-w-0 break-words">
        {end?.detail} {t("task.end.late")}
      </p>
    </div>
  );
}
