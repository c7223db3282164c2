import { useQuery } from "@tanstack/react-query";

import { calledToolQuery, type Invocation } from "@/api/queries";
import { Output } from "@/parts/sections";

import { useT } from "../messages";
import { CallError } from "./CallError";
import { Notes } from "./Notes";

/** The answer as the tool wants it read: by its sections, with its files. */
export function ResultTab({ call }: { call: Invocation }) {
  const t = useT();
  // A tool that is gone has no sections; its answer is shown by its shape.
  const { data: tool } = useQuery(calledToolQuery(call.tool_key));
  const hasAnswer = (call.output !== null && call.output !== undefined) || call.attachments.length > 0;
  const isOver = call.completed_at !== null && call.completed_at !== undefined;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Notes call={call} />
      {call.error && <CallError error={call.error} />}
      {hasAnswer && <Output output={call.output ?? undefined} sections={tool?.output_sections} attachments={call.attachments} name={call.tool_name} />}
      {!hasAnswer && !call.error && <p className="text-sm text-muted-foreground">{t(isOver ? "output.none" : "output.notYet")}</p>}
    </div>
  );
}
