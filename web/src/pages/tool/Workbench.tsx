import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";

import { invocationQuery, type Invocation, type Tool } from "@/api/queries";
import { notify } from "@/app/notify";
import { inputOf } from "@/parts/form";
import { Markdown } from "@/parts/sections";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { AsCode } from "./AsCode";
import { History } from "./History";
import { InputPanel } from "./InputPanel";
import { RunView } from "./RunView";
import { useT } from "./messages";
import { refusedIn } from "./run/refused";
import { useRun } from "./run/useRun";
import type { Run } from "./run/state";

/** The form on the left, what comes of it on the right; below each other where there is no room. */
export function Workbench({ tool, slug }: { tool: Tool; slug: string }) {
  const t = useT();
  const navigate = useNavigate();
  const { from } = useSearch({ from: "/shell/tools/$slug" });
  const { run, start, cancel } = useRun(slug);
  const [value, setValue] = useState<unknown>({});
  const form = useRef<HTMLDivElement>(null);
  const answer = useRef<HTMLDivElement>(null);

  const earlier = useQuery({ ...invocationQuery(from ?? ""), enabled: from !== undefined });
  const [filledFrom, setFilledFrom] = useState<string>();
  if (earlier.data && earlier.data.id === from && filledFrom !== from) {
    setFilledFrom(from);
    setValue(earlier.data.input);
  }

  const rerun = (invocation: Invocation) => {
    setValue(invocation.approved_input ?? invocation.input);
    setFilledFrom(invocation.id);
    void navigate({ to: ".", search: (search) => ({ ...search, from: invocation.id }), replace: true });
    notify.info(t("filled"));
    form.current?.focus();
  };
  const submit = (input: unknown) => {
    start(input);
    // On a phone the answer is below the form: show that something happens.
    answer.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };

  const made = madeInput(run);
  return (
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div ref={form} tabIndex={-1} className="min-w-0 outline-none">
        <InputPanel tool={tool} value={value} onChange={setValue} onSubmit={submit} refused={refusedIn(run)} isRunning={run.state === "running"} />
      </div>
      <div ref={answer} className="min-w-0">
        <Tabs defaultValue="run">
          <TabsList>
            <TabsTrigger value="run">{t("run")}</TabsTrigger>
            <TabsTrigger value="history">{t("history")}</TabsTrigger>
            <TabsTrigger value="code">{t("code")}</TabsTrigger>
            {tool.long_description && <TabsTrigger value="about">{t("about")}</TabsTrigger>}
          </TabsList>
          <TabsContent value="run">
            <RunView run={run} tool={tool} onCancel={cancel} onAgain={start} />
          </TabsContent>
          <TabsContent value="history">
            <History tool={tool.name} onRerun={rerun} />
          </TabsContent>
          <TabsContent value="code">
            <AsCode tool={tool} input={made ?? inputOf(value, tool.input_schema)} wasMade={made !== undefined} />
          </TabsContent>
          {tool.long_description && (
            <TabsContent value="about">
              <About text={tool.long_description} title={t("about")} />
            </TabsContent>
          )}
        </Tabs>
      </div>
    </div>
  );
}

function About({ text, title }: { text: string; title: string }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
      </CardHeader>
      <CardContent>
        <Markdown text={text} />
      </CardContent>
    </Card>
  );
}

/** The input of the last call, while there is one. */
function madeInput(run: Run): unknown {
  if (run.state === "idle") return undefined;
  return run.state === "done" ? run.result.input : run.input;
}
