import { ChevronDown, ChevronRight, CircleX } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { duration } from "@/parts/time/format";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import { LOOKS } from "./looks";
import { precise } from "./precise";
import { placeOf, type Window } from "./scale";
import { subjectOf, type SpanRow } from "./tree";

interface SpanLineProps {
  row: SpanRow;
  index: number;
  top: number;
  height: number;
  sight: Window;
  isChosen: boolean;
  onChoose(): void;
  onToggle(): void;
  onOpen(): void;
}

const INDENT_PX = 14;

/** One span: its name in the tree, its bar in time. On a phone the bar is below the name. */
export function SpanLine({ row, index, top, height, sight, isChosen, onChoose, onToggle, onOpen }: SpanLineProps) {
  const t = useT();
  const language = useLanguage();
  const { span, role, depth, fromMs, toMs } = row;
  const { icon: Icon, bar } = LOOKS[role];
  const place = placeOf(fromMs, toMs, sight);
  const took = span.status === "running" ? t("trace.running") : precise(toMs - fromMs, language);
  const subject = role === "guard" || role === "approval" ? t(`trace.role.${role}`) : subjectOf(span);
  const Chevron = row.isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      data-index={index}
      role="treeitem"
      aria-level={depth + 1}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-expanded={row.below > 0 ? row.isOpen : undefined}
      aria-selected={isChosen}
      aria-label={t("trace.line", { role: t(`trace.role.${role}`), subject: subjectOf(span), took, at: duration(fromMs, language), status: t(`trace.status.${span.status}`) })}
      tabIndex={isChosen ? 0 : -1}
      onFocus={onChoose}
      onClick={onChoose}
      onDoubleClick={onOpen}
      onKeyDown={undefined}
      className={cn("absolute inset-x-0 top-0 grid items-center border-b text-xs focus-visible:-outline-offset-2 md:grid-cols-[minmax(9rem,18rem)_minmax(0,1fr)]", isChosen ? "bg-accent" : "hover:bg-accent/50")}
      style={{ transform: `translateY(${String(top)}px)`, height }}
    >
      <span className="flex min-w-0 items-center gap-1 pr-2" style={{ paddingLeft: 4 + depth * INDENT_PX }}>
        {/* The arrow keys do the same, and the line says whether it is open. */}
        <span aria-hidden className="grid size-6 shrink-0 place-items-center" onClick={onToggle}>
          {row.below > 0 && <Chevron className="size-3.5 text-muted-foreground" />}
        </span>
        {span.status === "error" ? <CircleX aria-hidden className="size-3.5 shrink-0 text-bad" /> : <Icon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />}
        <span className={cn("min-w-0 flex-1 truncate", span.status === "error" && "font-medium text-bad")}>{subject}</span>
        <span className="shrink-0 text-muted-foreground tabular-nums">{took}</span>
      </span>
      <span className="relative h-4 min-w-0 max-md:mx-2">
        {place && (
          <span
            aria-hidden
            className={cn("absolute top-0.5 h-3 rounded-[3px]", span.status === "error" ? "bg-bad" : bar, span.status === "running" && "animate-pulse")}
            style={{ left: `${String(place.leftPercent)}%`, width: `${String(place.widthPercent)}%` }}
          />
        )}
      </span>
    </div>
  );
}
