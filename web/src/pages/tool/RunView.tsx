import { Hourglass, Play } from "lucide-react";

import type { Tool } from "@/api/queries";
import { Empty } from "@/parts/states/states";

import { Refused } from "./Refused";
import { ResultView } from "./ResultView";
import { Running } from "./Running";
import { Waiting } from "./Waiting";
import { useT } from "./messages";
import type { Run } from "./run/state";

interface Props {
  run: Run;
  tool: Tool;
  onCancel: () => void;
  onAgain: (input: unknown) => void;
}

/** What became of the click, from the first moment to the answer. */
export function RunView({ run, tool, onCancel, onAgain }: Props) {
  const t = useT();
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p role="status" className="sr-only">
        {announced(run, t)}
      </p>
      {run.state === "idle" && <Empty icon={tool.egress_class === "write" ? Hourglass : Play} title={t("idle.title")}>{t("idle.body")}</Empty>}
      {run.state === "running" && <Running run={run} onCancel={onCancel} />}
      {run.state === "waiting" && <Waiting invocation={run.invocation} onCancel={onCancel} />}
      {run.state === "refused" && <Refused problem={run.problem} onAgain={() => onAgain(run.input)} />}
      {run.state === "done" && <ResultView result={run.result} tool={tool} onAgain={() => onAgain(run.result.input)} />}
    </div>
  );
}

function announced(run: Run, t: ReturnType<typeof useT>): string {
  switch (run.state) {
    case "idle":
      return "";
    case "running":
      return t("runStarted");
    case "waiting":
      return t("runWaiting");
    case "refused":
      return t("runFailed");
    case "done":
      return run.result.error ? t("runFailed") : t("runDone");
  }
}
