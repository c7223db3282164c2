import { useEffect, useId, useRef, type KeyboardEvent } from "react";

import type { Tool } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { ToolBadges } from "@/parts/badges/ToolBadges";
import { cn } from "@/ui/cn";

import { KindIcon } from "./kinds";

interface ToolGridProps {
  label: string;
  tools: readonly Tool[];
  hasMore: boolean;
  onMore(): void;
  isStale: boolean;
}

/** Cards; the arrow keys move between them, the next page comes as one nears the end. */
export function ToolGrid({ label, tools, hasMore, onMore, isStale }: ToolGridProps) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasMore || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onMore(), { rootMargin: "600px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, onMore, tools.length]);
  return (
    <>
      {/* The links inside take the focus; the list only hears their arrow keys. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul aria-label={label} aria-busy={isStale} onKeyDown={moveFocus} className={cn("grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-3", isStale && "opacity-60")}>
        {tools.map((tool) => (
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
