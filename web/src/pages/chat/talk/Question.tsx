import { RotateCcw } from "lucide-react";
import { useState } from "react";

import { AbsoluteTime } from "@/parts/time/Time";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Button } from "@/ui/button";

import { useT } from "../messages";

/** Longer questions are folded: a pasted log should not hide the answer. */
const FOLDED_CHARS = 1_200;

interface Props {
  text: string;
  at?: string;
  /** Goes back to this message and asks again; nothing: it cannot now. */
  onRetry?: () => void;
}

/** What a person said, as they wrote it. */
export function Question({ text, at, onRetry }: Props) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const isLong = text.length > FOLDED_CHARS;
  return (
    <div className="group flex min-w-0 flex-col items-end gap-1">
      <h2 className="sr-only">{t("you")}</h2>
      <div className="max-w-[85%] min-w-0 rounded-lg bg-secondary px-3 py-2 text-secondary-foreground">
        <p className="break-words whitespace-pre-wrap">{isLong && !isOpen ? `${text.slice(0, FOLDED_CHARS)}…` : text}</p>
        {isLong && (
          <Button variant="link" size="inline" className="pt-1 text-xs max-md:min-h-11" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t("less") : t("more", { count: text.length })}
          </Button>
        )}
      </div>
      {at !== undefined && (
        <div className="flex items-center gap-1 text-xs text-muted-foreground">
          <AbsoluteTime at={at} className="mr-1" />
          <CopyButton text={text} label={t("copyQuestion")} className="size-7" />
          {onRetry && (
            <Button variant="ghost" size="icon" className="size-7" aria-label={t("retryFrom")} title={t("retryFrom")} onClick={onRetry}>
              <RotateCcw aria-hidden />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
