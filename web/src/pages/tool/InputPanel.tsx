import { Play } from "lucide-react";
import { useRef, useState } from "react";

import type { Tool } from "@/api/queries";
import { useMe } from "@/app/session";
import { SchemaForm, type Complaint } from "@/parts/form";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { JsonInput } from "./JsonInput";
import { useT } from "./messages";

interface Props {
  tool: Tool;
  value: unknown;
  onChange: (value: unknown) => void;
  onSubmit: (input: unknown) => void;
  refused: Complaint[];
  isRunning: boolean;
}

/** What the tool is given: by a form, or as JSON for those who have it already. */
export function InputPanel({ tool, value, onChange, onSubmit, refused, isRunning }: Props) {
  const t = useT();
  const me = useMe();
  const panel = useRef<HTMLDivElement>(null);
  const [isJson, setIsJson] = useState(false);
  const canRun = me.may("tools.tenant.execute");
  const example = tool.examples?.find(({ error }) => !error);
  const hasFields = Object.keys((tool.input_schema as { properties?: object }).properties ?? {}).length > 0;
  const button = (
    <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 rounded-b-lg border-t border-border bg-card px-4 py-3">
      <Button type="submit" size="lg" disabled={!canRun} busy={isRunning} title={t("run.key")}>
        {!isRunning && <Play aria-hidden />}
        {isRunning ? t("run.running") : t("run")}
      </Button>
      <Button variant="ghost" size="lg" onClick={() => onChange({})}>
        {t("reset")}
      </Button>
    </div>
  );
  return (
    // Ctrl+Enter runs from wherever one writes.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isRunning || !canRun) return;
        event.preventDefault();
        panel.current?.querySelector("form")?.requestSubmit();
      }}
    >
      <Card>
        <CardHeader>
          <CardTitle className="mr-auto">{t("form")}</CardTitle>
          {example && (
            <Button variant="ghost" size="sm" onClick={() => onChange(example.input)}>
              {t("fill")}
            </Button>
          )}
          <Button variant="outline" size="sm" aria-pressed={isJson} onClick={() => setIsJson(!isJson)}>
            {isJson ? t("form.fields") : t("form.json")}
          </Button>
        </CardHeader>
        <CardContent>
          {isJson ? (
            <JsonInput schema={tool.input_schema} value={value} onChange={onChange} onSubmit={onSubmit}>
              {button}
            </JsonInput>
          ) : (
            <SchemaForm schema={tool.input_schema} value={value} onChange={onChange} onSubmit={onSubmit} refused={refused} prefix="input">
              {!hasFields && <p className="text-sm text-muted-foreground">{t("form.none")}</p>}
              {button}
            </SchemaForm>
          )}
        </CardContent>
      </Card>
    </div>
  );
}
