import { ListChecks } from "lucide-react";

import type { Pages } from "@/api/pages";
import { Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { NothingWaits } from "../NothingWaits";
import { useTasks, type Task } from "../queries";
import { TaskCard } from "./TaskCard";
import { useTasksFresh } from "./useTasksFresh";

/** Work that a tool handed to this person, and work that anybody may take. */
export function Tasks() {
  const t = useT();
  const mine = useTasks("me");
  const anybodys = useTasks("nobody");
  useTasksFresh();
  const error = mine.error ?? anybodys.error;
  if (mine.isLoading || anybodys.isLoading) return <Loading />;
  if (error && mine.rows.length + anybodys.rows.length === 0) {
    return (
      <Failed
        error={error}
        onRetry={() => {
          mine.retry();
          anybodys.retry();
        }}
      />
    );
  }
  if (mine.rows.length + anybodys.rows.length === 0) {
    return (
      <NothingWaits icon={ListChecks} title={t("tasks.empty.title")}>
        <p>{t("tasks.empty.text")}</p>
      </NothingWaits>
    );
  }
  return (
    <div className="flex flex-col gap-6">
      <TaskList title={t("tasks.mine")} tasks={mine} />
      <TaskList title={t("tasks.anybody")} tasks={anybodys} />
    </div>
  );
}

function TaskList({ title, tasks }: { title: string; tasks: Pages<Task> }) {
  const t = useT();
  if (tasks.rows.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-sm font-medium text-muted-foreground">{title}</h2>
      <ul className="flex flex-col gap-3">
        {tasks.rows.map((task) => (
          <li key={task.id}>
            <TaskCard task={task} />
          </li>
        ))}
      </ul>
      {tasks.hasMore && (
        <Button variant="outline" className="self-center" busy={tasks.isLoadingMore} onClick={tasks.more}>
          {t("more")}
        </Button>
      )}
    </section>
  );
}
