import { Link } from "@tanstack/react-router";
import { Check, CircleSlash, PanelRightOpen, Play } from "lucide-react";
import { useId } from "react";

import { Countdown } from "@/parts/decision";
import { JsonTree } from "@/parts/json/JsonTree";
import { Principal } from "@/parts/people/Principal";
import { Markdown } from "@/parts/sections";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";
import { Button, buttonVariants } from "@/ui/button";

import { useT } from "../messages";
import type { Task } from "../queries";
import { useStartTask } from "./mutations";

export type Asking = "complete" | "cancel";

/** One piece of work: what to do, for whom, until when, and its end. */
export function TaskCard({ task, onAsk }: { task: Task; onAsk(what: Asking): void }) {
  const t = useT();
  const id = useId();
  const start = useStartTask(task);
  const isQuestion = Boolean(task.asks);
  return (
    <article data-article={task.id} aria-labelledby={id} tabIndex={-1} className="flex min-w-0 flex-col gap-3 rounded-lg border bg-card p-4">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 id={id} className="min-w-0 font-semibold break-words">
          {task.title}
        </h3>
        {task.status === "in_progress" && <Badge tone="info">{t("task.inProgress")}</Badge>}
        {isQuestion && <Badge tone="warn">{t("task.question")}</Badge>}
        {task.due_at && <Countdown at={task.due_at} words="due" className="ml-auto text-sm" />}
      </header>
      <p className="text-sm text-muted-foreground">
        {t("task.from", { tool: task.tool })} <Principal id={task.created_by} /> · <RelativeTime at={task.created_at} />
        {task.status === "in_progress" && task.worked_by && (
          <span>
            {" · "}
            <Principal id={task.worked_by} /> {t("task.worksOn")}
          </span>
        )}
      </p>
      {task.description && <Markdown text={task.description} />}
      {Object.keys(task.input).length > 0 && <JsonTree value={task.input} label={t("task.input", { title: task.title })} maxHeightPx={180} />}
      <p className="text-sm text-muted-foreground">{t(task.waits ? "task.waits" : "task.nobodyWaits")}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onAsk("complete")}>
          <Check aria-hidden />
          {t(isQuestion ? "task.answer" : "task.complete")}
        </Button>
        {task.status === "open" && (
          <Button variant="outline" busy={start.isPending} onClick={() => start.mutate()}>
            {!start.isPending && <Play aria-hidden />}
            {t("task.start")}
          </Button>
        )}
        <Button variant="outline" onClick={() => onAsk("cancel")}>
          <CircleSlash aria-hidden />
          {t("task.cancel")}
        </Button>
        <Link to="." search={(search) => ({ ...search, invocation: task.invocation_id })} className={buttonVariants({ variant: "ghost" })} aria-label={t("open.call", { tool: task.tool })}>
          <PanelRightOpen aria-hidden />
          {t("open")}
        </Link>
      </div>
    </article>
  );
}
