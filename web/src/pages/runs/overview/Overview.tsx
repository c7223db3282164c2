import { Link } from "@tanstack/react-router";
import { Hourglass, MessageSquareReply } from "lucide-react";

import { Markdown } from "@/parts/sections";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { Folded } from "../Folded";
import { useT } from "../messages";
import { RunError } from "../RunError";
import { isOver, type Run } from "../types";
import { Facts } from "./Facts";
import { Steps } from "./Steps";

/** What one wants to know of a run first: what was asked, what came of it, what it took. */
export function Overview({ run }: { run: Run }) {
  const t = useT();
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-4">
        {run.waiting_for.length > 0 && !isOver(run) && <Waiting run={run} />}
        {run.error && <RunError error={run.error} />}
        <Card>
          <CardHeader>
            <CardTitle>{t("message")}</CardTitle>
          </CardHeader>
          <CardContent>
            <Folded text={run.message ?? t("noMessage")} />
          </CardContent>
        </Card>
        {run.response && (
          <Card>
            <CardHeader>
              <MessageSquareReply aria-hidden className="size-4 text-muted-foreground" />
              <CardTitle>{t("answer")}</CardTitle>
            </CardHeader>
            <CardContent className="min-w-0 break-words">
              <Markdown text={run.response} />
            </CardContent>
          </Card>
        )}
        <Steps run={run} />
      </div>
      <Facts run={run} />
    </div>
  );
}

function Waiting({ run }: { run: Run }) {
  const t = useT();
  return (
    <div role="status" className="flex flex-col gap-2 rounded-lg border bg-warn-soft p-4 text-warn">
      <p className="flex items-center gap-2 font-medium">
        <Hourglass aria-hidden className="size-4" />
        {t("waiting.title", { count: run.waiting_for.length })}
      </p>
      <p className="text-sm">{t("waiting.text")}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {run.waiting_for.map((id, index) => (
          <li key={id}>
            <WaitedFor run={run} id={id} number={index + 1} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A call, the run itself where somebody must agree to it, or work in somebody's inbox. */
function WaitedFor({ run, id, number }: { run: Run; id: string; number: number }) {
  const t = useT();
  const call = id.startsWith("inv_") ? id : id === run.id ? run.invocation_id : undefined;
  if (call === undefined) {
    return (
      <Link to="/inbox" search={{ show: "tasks" }} className={LINK}>
        {t("waiting.task")}
      </Link>
    );
  }
  return (
    <Link to="." search={(search) => ({ ...search, invocation: call })} className={LINK}>
      {t("waiting.open", { number })}
    </Link>
  );
}

const LINK = "underline max-md:inline-block max-md:py-3";
