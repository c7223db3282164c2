import { useMemo } from "react";

import { cn } from "@/ui/cn";

import { useT } from "./messages";
import { diffLines, folded, type DiffLine } from "./lines";

const LOOKS: Record<DiffLine["kind"], { sign: string; className: string }> = {
  same: { sign: " ", className: "" },
  removed: { sign: "−", className: "bg-bad-soft text-bad" },
  added: { sign: "+", className: "bg-good-soft text-good" },
};

interface Props {
  before: string;
  after: string;
  /** What is compared. */
  label: string;
  className?: string;
}

/** What was taken away and what was put in, with a sign and a colour each. */
export function LineDiff({ before, after, label, className }: Props) {
  const t = useT();
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const [added, removed] = (["added", "removed"] as const).map((kind) => lines.filter((line) => line.kind === kind).length);
  if (added === 0 && removed === 0) return <p className={cn("text-sm text-muted-foreground", className)}>{t("none")}</p>;
  return (
    <figure className={cn("m-0 flex min-w-0 flex-col gap-1", className)}>
      <figcaption className="text-xs text-muted-foreground">{t("counts", { added: added ?? 0, removed: removed ?? 0 })}</figcaption>
      {/* It scrolls, so a keyboard must be able to get into it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={label} tabIndex={0} className="max-h-80 overflow-auto rounded-lg border bg-card font-mono text-xs leading-5">
        <ol className="py-1">
          {folded(lines).map((line, index) =>
            line.kind === "fold" ? (
              <li key={index} className="bg-muted px-3 font-sans text-muted-foreground">
                {t("unchanged", { count: line.count })}
              </li>
            ) : (
              <li key={index} className={cn("flex px-2 break-words whitespace-pre-wrap", LOOKS[line.kind].className)}>
                <span aria-hidden className="w-4 shrink-0 select-none">
                  {LOOKS[line.kind].sign}
                </span>
                {line.kind !== "same" && <span className="sr-only">{t(line.kind)}</span>}
                <span className="min-w-0 flex-1">{line.text}</span>
              </li>
            ),
          )}
        </ol>
      </div>
    </figure>
  );
}
