import { BookmarkPlus, FlaskConical } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";

import type { Tool } from "@/api/queries";
import { useMe } from "@/app/session";
import { RunView } from "@/pages/tool/RunView";
import { refusedIn } from "@/pages/tool/run/refused";
import { useRun } from "@/pages/tool/run/useRun";
import { SchemaForm } from "@/parts/form";
import { Button } from "@/ui/button";

import { isObject, type Doc } from "../doc/json";
import { useT } from "../messages";
import { Part } from "../sections/Part";
import { FormBoundary } from "./FormBoundary";

interface Props {
  definition: Doc;
  /** It is not published: the definition goes along with the test. */
  isDraft: boolean;
  onChange(definition: Doc): void;
}

/** Tries the tool as it stands, published or not, and shows what it says while it runs. */
export function TestPanel({ definition, isDraft, onChange }: Props) {
  const t = useT();
  const me = useMe();
  const name = String(definition["name"] ?? "");
  const panel = useRef<HTMLDivElement>(null);
  const [value, setValue] = useState<unknown>({});
  // A test goes on while its tool is renamed.
  const { run, start, cancel } = useRun("test", {
    path: `/api/tools/${encodeURIComponent(name || "unnamed")}/test/stream`,
    body: (input) => ({ input, ...(isDraft && { definition }) }),
  });
  // Who writes a schema of a hundred fields does not wait for its form at every letter.
  const schema = useDeferredValue(isObject(definition["input_schema"]) ? definition["input_schema"] : NOTHING);
  const examples: unknown[] = Array.isArray(definition["examples"]) ? definition["examples"] : NO_EXAMPLES;
  const example = examples.find((one): one is Doc => isObject(one) && one["error"] === undefined);
  const shown = useMemo(() => ({ ...definition, name }) as unknown as Tool, [definition, name]);
  const isRunning = run.state === "running";
  const keep = () => {
    if (run.state !== "done") return;
    const { input, output, error } = run.result;
    onChange({ ...definition, examples: [...examples, { input, ...(error ? { error: error.code } : { output }) }] });
  };
  return (
    // Ctrl+Enter runs the test from wherever one writes in it.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isRunning) return;
        event.preventDefault();
        panel.current?.querySelector("form")?.requestSubmit();
      }}
    >
      <Part
        title={t("test")}
        help={isDraft ? t("test.draft") : t("test.published", { version: String(definition["version"] ?? "") })}
        actions={
          example && (
            <Button variant="ghost" size="sm" onClick={() => setValue(example["input"])}>
              {t("test.fill")}
            </Button>
          )
        }
      >
        <FormBoundary schema={schema} fallback={<p className="text-sm text-muted-foreground">{t("test.noForm")}</p>}>
          <SchemaForm schema={schema} value={value} onChange={setValue} onSubmit={start} refused={refusedIn(run)} prefix="test">
            <Button type="submit" className="justify-self-start self-start" busy={isRunning} disabled={name === "" || !me.may("tools.tenant.execute")} title={t("test.key")}>
              {!isRunning && <FlaskConical aria-hidden />}
              {t("test.run")}
            </Button>
            {name === "" && <p className="text-sm text-muted-foreground">{t("test.needsName")}</p>}
          </SchemaForm>
        </FormBoundary>
        {run.state !== "idle" && (
          <>
            <RunView run={run} tool={shown} onCancel={cancel} onAgain={start} />
            {run.state === "done" && !run.result.isCancelled && !run.result.isRejected && (
              <Button variant="outline" size="sm" className="justify-self-start" onClick={keep}>
                <BookmarkPlus aria-hidden />
                {t("test.keep")}
              </Button>
            )}
          </>
        )}
      </Part>
    </div>
  );
}

const NOTHING: Doc = { type: "object" };
const NO_EXAMPLES: unknown[] = [];
