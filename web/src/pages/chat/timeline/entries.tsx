import { Link } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { CachedBadge, StatusBadge } from "@/parts/badges/badges";
import { humane } from "@/parts/sections/rows";
import { cost } from "@/parts/time/format";
import { Duration } from "@/parts/time/Time";
import { cn } from "@/ui/cn";
import { Spinner } from "@/ui/spinner";

import { useT } from "../messages";
import type { Call, Usage } from "../run/state";
import { brief } from "../run/view";

const INDENT_PX = 12;

export function ModelEntry({ iteration, usage, isAsking }: { iteration: number; usage: Usage | undefined; isAsking: boolean }) {
  const t = useT();
  const language = useLanguage();
  return (
    <li className="flex min-w-0 flex-col py-1.5">
      <span className="flex items-center gap-2 text-sm">
        {isAsking ? <Spinner className="size-3.5" /> : <Sparkles aria-hidden className="size-3.5 text-muted-foreground" />}
        <span className="mr-auto">{t("timeline.model", { number: iteration })}</span>
        {usage && <Duration ms={usage.latencyMs} className="text-xs text-muted-foreground tabular-nums" />}
      </span>
      {usage && usage.inputTokens + usage.outputTokens > 0 && (
        <span className="pl-5.5 text-xs text-muted-foreground tabular-nums">
          {t("tokens", { in: usage.inputTokens, out: usage.outputTokens })}
          {usage.cost !== undefined && ` · ${cost(usage.cost, language)}`}
        </span>
      )}
    </li>
  );
}

export function CallEntry({ call, depth }: { call: Call; depth: number }) {
  const t = useT();
  const told = call.error?.message ?? (call.status === "completed" ? brief(call.output) : (call.line ?? ""));
  return (
    <li className="min-w-0 py-1.5" style={{ paddingLeft: depth * INDENT_PX }}>
      <Link to="." search={(search) => ({ ...search, invocation: call.id })} title={t("openCall")} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 rounded-sm hover:bg-accent max-md:min-h-11">
        <span className="min-w-0 truncate text-sm font-medium">{humane(call.name)}</span>
        <StatusBadge value={call.status} />
        {call.isCached && <CachedBadge />}
        {call.durationMs !== undefined && <Duration ms={call.durationMs} className="ml-auto text-xs text-muted-foreground tabular-nums" />}
        {told !== "" && <span className={cn("w-full truncate text-xs", call.error ? "text-bad" : "text-muted-foreground")}>{told}</span>}
      </Link>
    </li>
  );
}
