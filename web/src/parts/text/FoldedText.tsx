import { useLayoutEffect, useRef, useState } from "react";

import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

import { useT } from "../messages";

const LINES = { 3: "line-clamp-3", 8: "line-clamp-8" } as const;

/** A text that may be long: its first lines, and the rest with one click. The button is there only where something is hidden. */
export function FoldedText({ text, lines = 3, className }: { text: string; lines?: keyof typeof LINES; className?: string }) {
  const t = useT();
  const place = useRef<HTMLParagraphElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || isOpen) return;
    const measure = () => setIsCut(element.scrollHeight > element.clientHeight + 1);
    measure();
    // Where there is more room, more of it fits.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isOpen]);
  return (
    <div className={className}>
      <p ref={place} className={cn("break-words whitespace-pre-line", !isOpen && LINES[lines])}>
        {text}
      </p>
      {(isCut || isOpen) && (
        <Button variant="link" size="inline" className="max-md:min-h-11" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t("less") : t("more")}
        </Button>
      )}
    </div>
  );
}
