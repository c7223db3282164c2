import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, ReceiptText } from "lucide-react";
import { useId, useState } from "react";

import { calledToolQuery, invocationQuery } from "@/api/queries";
import { CachedBadge, StatusBadge } from "@/parts/badges/badges";
import { JsonTree } from "@/parts/json/JsonTree";
import { namesFiles, Output } from "@/parts/sections";
import { humane } from "@/parts/sections/rows";
import { Duration } from "@/parts/time/Time";
import { buttonVariants } from "@/ui/button";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import type { Call } from "../run/state";
import { brief } from "../run/view";

/** One call: its name, how it went, and on demand what went in and came out. */
export function ToolCard({ call }: { call: Call }) {
  const id = useId();
  const { data: tool } = useQuery(calledToolQuery(call.name));
  // A table or a chart is worth the room that it takes; a few words fit into the folded card.
  const hasSections = call.status === "completed" && (tool?.output_sections ?? []).some(({ type }) => type !== "summary");
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? hasSections;
  return (
    <article aria-label={humane(call.name)} className="min-w-0 rounded-lg border bg-card">
      <button
        type="button"
        id={`call-${call.id}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChoice(!isOpen)}
        className="flex w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg px-3 py-2 text-left hover:bg-accent max-md:min-h-11"
      >
        <ChevronRight aria-hidden className={cn("size-4 shrink-0 text-muted-foreground transition-transform", isOpen && "rotate-90")} />
        <span className="font-medium">{humane(call.name)}</span>
        <StatusBadge value={call.status} />
        {call.isCached && <CachedBadge />}
        {call.durationMs !== undefined && <Duration ms={call.durationMs} className="text-xs text-muted-foreground tabular-nums" />}
        {!isOpen && <Brief call={call} />}
      </button>
      {isOpen && (
        <div id={id} className="flex min-w-0 flex-col gap-4 border-t p-3">
          <Insides call={call} sections={tool?.output_sections} isInputFolded={hasSections} />
        </div>
      )}
    </article>
  );
}

function Brief({ call }: { call: Call }) {
  const t = useT();
  const text = call.error ? call.error.message : call.status === "completed" ? t("brief.result", { text: brief(call.output) }) : (call.line ?? brief(call.input));
  return <span className={cn("w-full truncate pl-6 text-xs", call.error ? "text-bad" : "text-muted-foreground")}>{text}</span>;
}

interface InsidesProps {
  call: Call;
  sections: Parameters<typeof Output>[0]["sections"];
  isInputFolded: boolean;
}

function Insides({ call, sections, isInputFolded }: InsidesProps) {
  const t = useT();
  // Pictures, and what was too large for the log, lie in files, which only the call itself has.
  const { data: whole } = useQuery({ ...invocationQuery(call.id), enabled: call.isTruncated || namesFiles(call.output) });
  return (
    <>
      {call.error && (
        <p className="text-sm break-words whitespace-pre-wrap text-bad">
          <code className="mr-2 rounded-sm bg-bad-soft px-1.5 font-mono text-xs">{call.error.code}</code>
          {call.error.message}
        </p>
      )}
      {call.status === "completed" && <Output output={whole?.output ?? call.output} sections={sections} attachments={whole?.attachments} name={call.name} />}
      <details open={!isInputFolded} className="min-w-0">
        <summary className="cursor-pointer text-sm font-medium max-md:py-3">{t("input")}</summary>
        <JsonTree value={call.input ?? {}} label={t("input")} maxHeightPx={240} className="mt-2" />
      </details>
      <Link to="." search={(search) => ({ ...search, invocation: call.id })} className={cn(buttonVariants({ variant: "outline", size: "sm" }), "self-start")}>
        <ReceiptText aria-hidden />
        {t("openCall")}
      </Link>
    </>
  );
}
