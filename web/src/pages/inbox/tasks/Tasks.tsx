import { ListChecks } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";

import { Failed, Loading } from "@/parts/states/states";

import { useT } from "../messages";
import { NothingWaits } from "../NothingWaits";
import { useTasks, type Task } from "../queries";
import { useFocusKept } from "../useFocusKept";
import { CancelTaskDialog } from "./CancelTaskDialog";
import type { Asking } from "./TaskCard";
import { TaskList } from "./TaskList";
import { useTasksFresh } from "./useTasksFresh";
import { useTellEnds } from "./useTellEnds";

// The form and its validator are only fetched by those who answer.
const CompleteDialog = lazy(() => import("./CompleteDialog"));

/** Work that a tool handed to this person, and work that anybody may take. */
export function Tasks() {
  const t = useT();
  const mine = useTasks("me");
  const anybodys = useTasks("nobody");
  // The dialog stands beside the list: a task that ends meanwhile leaves the list, and not the hands of whoever answers it.
  const [open, setOpen] = useState<{ what: Asking; task: Task }>();
  useTasksFresh();
  const isLoading = mine.isLoading || anybodys.isLoading;
  const all = useMemo(() => (isLoading ? undefined : [...mine.rows, ...anybodys.rows]), [isLoading, mine.rows, anybodys.rows]);
  useTellEnds(all, open?.task.id);
  const list = useRef<HTMLDivElement>(null);
  useFocusKept(list, all?.map(({ id, status }) => `${id} ${status}`).join() ?? "");
  const ask = (what: Asking, task: Task) => setOpen({ what, task });
  const close = () => setOpen(undefined);
  const retry = () => {
    mine.retry();
    anybodys.retry();
  };
  const error = mine.error ?? anybodys.error;
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {all === undefined ? (
        <Loading />
      ) : all.length > 0 ? (
        <div className="flex flex-col gap-6">
          <TaskList title={t("tasks.mine")} tasks={mine} onAsk={ask} />
          <TaskList title={t("tasks.anybody")} tasks={anybodys} onAsk={ask} />
        </div>
      ) : error ? (
        <Failed error={error} onRetry={retry} />
      ) : (
        <NothingWaits icon={ListChecks} title={t("tasks.empty.title")}>
          <p>{t("tasks.empty.text")}</p>
        </NothingWaits>
      )}
      <Suspense>{open?.what === "complete" && <CompleteDialog task={open.task} onClose={close} />}</Suspense>
      {open?.what === "cancel" && <CancelTaskDialog task={open.task} onClose={close} />}
    </div>
  );
}
