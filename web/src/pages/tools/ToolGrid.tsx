import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import type { Pages } from "@/api/pages";
import type { Tool } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { ToolBadges } from "@/parts/badges/ToolBadges";
import { Failed, Loading } from "@/parts/states/states";
import { cn } from "@/ui/cn";
import { Skeleton } from "@/ui/skeleton";

import { KindIcon } from "./kinds";

const COLUMNS = "grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))]";
const PLACES = 12;

/** The tools as cards, and what stands in their place while they load, when there are none, and when they cannot be had. */
export function ToolGrid({ label, tools, empty }: { label: string; tools: Pages<Tool>; empty: ReactNode }) {
  if (tools.isLoading) {
    return (
      <Loading className={COLUMNS}>
        {Array.from({ length: PLACES }, (_, index) => (
          <Skeleton key={index} className="h-32" />
        ))}
      </Loading>
    );
  }
  if (tools.error && tools.rows.length === 0) return <Failed error={tools.error} onRetry={tools.retry} />;
  if (tools.rows.length === 0) return empty;
  return <Cards label={label} tools={tools} />;
}

/** The arrow keys move between the cards, the next page comes as one nears the end. */
function Cards({ label, tools: { rows, hasMore, more, isStale } }: { label: string; tools: Pages<Tool> }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasMore || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), { rootMargin: "600px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, more, rows.length]);
  return (
    <>
      {/* The links inside take the focus; the list only hears their arrow keys. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul aria-label={label} aria-busy={isStale} onKeyDown={moveFocus} className={cn("grid gap-3", COLUMNS, isStale && "opacity-60")}>
        {rows.map((tool) => (
          <li key={tool.id} className="[contain-intrinsic-size:auto_9rem] [content-visibility:auto]">
            <ToolCard tool={tool} />
          </li>
        ))}
      </ul>
      <div ref={end} />
    </>
  );
}

function ToolCard({ tool }: { tool: Tool }) {
  const id = useId();
  return (
    <PathLink
      path={`/tools/${encodeURIComponent(tool.name)}`}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-text`}
      className="flex h-full flex-col gap-2 rounded-lg border bg-card p-3.5 transition-colors hover:border-input/70 hover:bg-accent/40 focus-visible:-outline-offset-1"
    >
      <span className="flex items-center gap-2">
        <KindIcon kind={tool.execution?.kind} className="size-4 shrink-0 text-muted-foreground" />
        <span id={`${id}-name`} className={cn("min-w-0 flex-1 truncate font-medium", tool.deprecated && "text-muted-foreground line-through")}>
          {tool.name}
        </span>
        <span className="max-w-24 shrink-0 truncate text-xs text-muted-foreground">{tool.category}</span>
      </span>
      <span id={`${id}-text`} className="line-clamp-2 min-h-10 text-sm text-muted-foreground">
        {tool.description}
      </span>
      <span className="mt-auto flex flex-wrap gap-1">
        <ToolBadges tool={tool} />
      </span>
    </PathLink>
  );
}

/** Left and right go to the neighbours, up and down to the card above and below. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("a")];
  const at = cards.findIndex((card) => card === document.activeElement);
  if (at < 0) return;
  const top = cards[0]?.getBoundingClientRect().top;
  const beyond = cards.findIndex((card) => card.getBoundingClientRect().top !== top);
  const columns = beyond < 0 ? cards.length : beyond;
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const step = steps[event.key];
  const next = step === undefined ? undefined : cards[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
