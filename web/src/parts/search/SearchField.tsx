import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { cn } from "@/ui/cn";
import { Input } from "@/ui/input";
import { Kbd } from "@/ui/kbd";

import { useT } from "../messages";

/** Long enough that a fast typist asks once, short enough that nobody waits. */
const SETTLE_MS = 150;

export interface SearchFieldProps {
  label: string;
  /** From the URL. */
  value: string;
  onChange(value: string): void;
  className?: string;
}

/** Search as you type. `/` leads here, Escape empties it. */
export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
  const t = useT();
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The URL changed by another hand (back, a link, “clear”): it wins over what stands here.
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (next: string, settleMs: number) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSent(next);
      onChange(next);
    }, settleMs);
  };
  return (
    <div role="search" className={cn("relative", className)}>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted-foreground" />
      <Input
        type="search"
        data-search=""
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => send(event.target.value, SETTLE_MS)}
        onKeyDown={(event) => event.key === "Escape" && text !== "" && send("", 0)}
        className="pr-9 pl-8 [&::-webkit-search-cancel-button]:hidden"
        autoComplete="off"
        spellCheck={false}
      />
      {text === "" ? (
        <Kbd aria-hidden className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 max-md:hidden">
          /
        </Kbd>
      ) : (
        <button type="button" aria-label={t("search.clear")} onClick={() => send("", 0)} className="absolute top-1/2 right-1 grid size-6 -translate-y-1/2 place-items-center rounded-sm text-muted-foreground hover:text-foreground max-md:right-0 max-md:size-11">
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
