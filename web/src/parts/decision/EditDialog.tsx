import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useState } from "react";

import { calledToolQuery } from "@/api/queries";
import { explain } from "@/app/notify";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { canonical } from "../diff/canonical";
import { LineDiff } from "../diff/LineDiff";
import { inputOf, SchemaForm } from "../form";
import { Loading } from "../states/states";
import { useDecide } from "./decide";
import type { DecisionDialogProps } from "./DecisionDialog";
import { JsonArguments } from "./JsonArguments";
import { useT } from "./messages";

/** The arguments as they should be, and what that changes, before anybody says yes. What is approved is what runs; both are kept. */
export default function EditDialog({ invocation, onClose, onDone }: DecisionDialogProps) {
  const t = useT();
  const [value, setValue] = useState<unknown>(invocation.input);
  const [view, setView] = useState<"form" | "json">("form");
  const [isReadable, setIsReadable] = useState(true);
  const decide = useDecide(onDone, true);
  const tool = useQuery(calledToolQuery(invocation.tool_key));
  const schema = tool.data?.input_schema;
  // Without its definition the tool has no form; its arguments can be written all the same, and the server checks them.
  const shown = schema === undefined ? "json" : view;
  const edited = schema === undefined || view === "json" ? value : inputOf(value, schema);
  const [before, after] = [canonical(invocation.input), canonical(edited)];
  const isChanged = before !== after && isReadable;
  const approve = (input: unknown) => {
    if (!isReadable || canonical(input) === before) return;
    decide.mutate({ invocation, ruling: { kind: "approve", input: input as Record<string, unknown> } }, { onSuccess: onClose });
  };
  const footer = (
    <DialogFooter>
      <Button variant="outline" onClick={onClose}>
        {t("back")}
      </Button>
      <Button type="submit" disabled={!isChanged} busy={decide.isPending}>
        {!decide.isPending && <Check aria-hidden />}
        {t("edit.do")}
      </Button>
    </DialogFooter>
  );
  const below = (
    <>
      <section className="flex flex-col gap-2">
        <h3 className="text-sm font-medium">{t("edit.diff")}</h3>
        <LineDiff before={before} after={isReadable ? after : before} label={t("edit.diff")} />
      </section>
      {decide.error && (
        <p role="alert" className="rounded-lg border border-bad p-3 text-sm break-words text-bad">
          {explain(decide.error).title}. {explain(decide.error).detail}
        </p>
      )}
      {footer}
    </>
  );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogTitle>{t("edit.title", { tool: invocation.tool_name })}</DialogTitle>
        <DialogDescription>{t("edit.text")}</DialogDescription>
        {schema !== undefined && (
          <ToggleGroup type="single" value={view} aria-label={t("edit.view")} className="self-start" onValueChange={(next) => (next === "form" || next === "json") && setView(next)}>
            <ToggleGroupItem value="form">{t("edit.form")}</ToggleGroupItem>
            <ToggleGroupItem value="json">{t("edit.json")}</ToggleGroupItem>
          </ToggleGroup>
        )}
        {tool.isPending ? (
          <Loading />
        ) : shown === "form" ? (
          <SchemaForm schema={schema} value={value} onChange={setValue} onSubmit={approve} prefix="edit">
            {below}
          </SchemaForm>
        ) : (
          <JsonArguments value={value} onChange={setValue} onReadable={setIsReadable} onSubmit={() => approve(value)}>
            {below}
          </JsonArguments>
        )}
      </DialogContent>
    </Dialog>
  );
}
