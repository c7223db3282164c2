import { useState, type ReactNode } from "react";

import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

import { folded, lineDiff, visible, type Line } from "./line-diff";

interface DiffViewProps {
  label: string;
  before: string;
  after: string;
  words: { removed: string; added: string; same(count: number): string };
}

/** Two texts line by line. A sign and a hidden word say what the colour says. */
export function DiffView({ label, before, after, words }: DiffViewProps) {
  const blocks = folded(lineDiff(before, after));
  return (
    <ScrollBox label={label}>
      {blocks.map((block, index) =>
        block.kind === "folded" ? (
          <Folded key={index} lines={block.lines} words={words} />
        ) : (
          block.lines.map((line, at) => <DiffLine key={`${String(index)}-${String(at)}`} line={line} words={words} />)
        ),
      )}
    </ScrollBox>
  );
}

/** A difference that the server made already: `-` is gone, `+` is new. */
export function ReadyDiff({ label, diff, words }: { label: string; diff: string; words: DiffViewProps["words"] }) {
  const lines = diff.split("\n").filter((text, index, all) => text !== "" || index < all.length - 1);
  const kindOf = (text: string): Line["kind"] => (text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same");
  return (
    <ScrollBox label={label}>
      {lines.map((text, index) => (
        <DiffLine key={index} line={{ kind: kindOf(text), text: text.slice(1) }} words={words} />
      ))}
    </ScrollBox>
  );
}

function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // A region that scrolls must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={label} tabIndex={0} className="max-h-96 overflow-auto rounded-md border bg-background py-1 font-mono text-xs leading-5">
      {children}
    </div>
  );
}

const LOOK: Record<Line["kind"], [string, string]> = {
  same: [" ", ""],
  removed: ["−", "bg-bad-soft text-bad"],
  added: ["+", "bg-good-soft text-good"],
};

function DiffLine({ line: { kind, text }, words }: { line: Line; words: DiffViewProps["words"] }) {
  const [sign, look] = LOOK[kind];
  return (
    <div className={cn("flex gap-2 px-2", look)}>
      <span aria-hidden className="w-3 shrink-0 text-center select-none">
        {sign}
      </span>
      {kind !== "same" && <span className="sr-only">{words[kind]}: </span>}
      <span className="min-w-0 break-words whitespace-pre-wrap">{visible(text) || " "}</span>
    </div>
  );
}

function Folded({ lines, words }: { lines: Line[]; words: DiffViewProps["words"] }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return lines.map((line, index) => <DiffLine key={index} line={line} words={words} />);
  return (
    <Button variant="link" size="sm" className="w-full justify-start font-sans" onClick={() => setIsOpen(true)}>
      ⋯ {words.same(lines.length)}
    </Button>
  );
}
