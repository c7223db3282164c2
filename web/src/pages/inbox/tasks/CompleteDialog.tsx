import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useMemo, useState } from "react";

import { calledToolQuery } from "@/api/queries";
import { explain } from "@/app/notify";
import { SchemaForm } from "@/parts/form";
import { Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";

import { useT } from "../messages";
import { isDraft, type Task } from "../queries";
import { answerForm, answersTo, isAnswerable } from "./answers";
import { JsonResult } from "./JsonResult";
import { useCompleteTask } from "./mutations";
import { Over, useOver } from "./Over";
import { QuestionList } from "./QuestionList";

/** What came of it, in the shape that the waiting tool answers with. */
export default function CompleteDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const t = useT();
  const [value, setValue] = useState<unknown>({});
  const { asks } = task;
  // A draft that is only tried can be read by nobody, and a tool may be gone: then its answer has no form.
  const isRead = !asks && !isDraft(task.tool);
  const tool = useQuery({ ...calledToolQuery(task.tool), enabled: isRead });
  const isFormless = asks ? !isAnswerable(asks) : task.waits && (!isRead || tool.isError);
  const complete = useCompleteTask(task, onClose);
  const outputSchema = tool.data?.output_schema;
  const form = useMemo(() => answerForm(task, outputSchema, t("task.note")), [task, outputSchema, t]);
  const submit = (input: unknown) => complete.mutate(form.toResult(input as Record<string, unknown>));
  const over = useOver(task, complete.isPending);
  const said = complete.error && !over ? explain(complete.error) : undefined;
  const footer = (
    <>
      {over && <Over task={over} />}
      {said && (
        <p role="alert" className="rounded-lg border border-bad p-3 text-sm break-words text-bad">
          {said.title}. {said.detail}
        </p>
      )}
      <DialogFooter>
        <Button variant="outline" onClick={onClose}>
          {t("back")}
        </Button>
        {asks && isAnswerable(asks) && (
          <Button variant="outline" disabled={complete.isPending || over !== undefined} onClick={() => complete.mutate(answersTo(asks, "decline"))}>
            {t("task.decline")}
          </Button>
        )}
        <Button type="submit" busy={complete.isPending} disabled={over !== undefined}>
          {!complete.isPending && <Check aria-hidden />}
          {t(asks ? "task.answer.do" : "task.complete.do")}
        </Button>
      </DialogFooter>
    </>
  );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogTitle>{task.title}</DialogTitle>
        <DialogDescription>{t(asks ? "task.answer.text" : task.waits ? "task.complete.waits" : "task.complete.text")}</DialogDescription>
        {asks && <QuestionList questions={asks} />}
        {isFormless ? (
          <JsonResult onSubmit={(result) => complete.mutate(result)}>{footer}</JsonResult>
        ) : isRead && tool.isPending ? (
          <Loading />
        ) : (
          <SchemaForm schema={form.schema} value={value} onChange={setValue} onSubmit={submit} prefix="task">
            {footer}
          </SchemaForm>
        )}
      </DialogContent>
    </Dialog>
  );
}
