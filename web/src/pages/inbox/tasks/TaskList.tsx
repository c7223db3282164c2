import type { Pages } from "@/api/pages";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import type { Task } from "../queries";
import { TaskCard, type Asking } from "./TaskCard";

interface Props {
  title: string;
  tasks: Pages<Task>;
  onAsk(what: Asking, task: Task): void;
}

export function TaskList({ title, tasks, onAsk }: Props) {
  const t = useT();
  if (tasks.rows.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-sm font-medium text-muted-foreground">{title}</h2>
      <ul className="flex flex-col gap-3">
        {tasks.rows.map((task) => (
          <li key={task.id}>
            <TaskCard task={task} onAsk={(what) => onAsk(what, task)} />
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
