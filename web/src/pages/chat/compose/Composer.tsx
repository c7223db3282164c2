import { ArrowUp, Square } from "lucide-react";
import { useId, type KeyboardEvent, type ReactNode, type Ref } from "react";

import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import { MAX_MESSAGE_CHARS } from "./draft";

interface Props {
  label: string;
  text: string;
  onChange: (text: string) => void;
  onSend: () => void;
  /** Why nothing can be sent now; what is typed stays. */
  blocked?: string;
  isSending: boolean;
  /** While a run goes on: ends it. */
  onStop?: () => void;
  isStopping?: boolean;
  field?: Ref<HTMLTextAreaElement>;
  autoFocus?: boolean;
  children?: ReactNode;
}

/** Enter sends, Shift+Enter breaks the line. */
export function Composer({ label, text, onChange, onSend, blocked, isSending, onStop, isStopping = false, field, autoFocus = false, children }: Props) {
  const t = useT();
  const id = useId();
  const isTooLong = text.length > MAX_MESSAGE_CHARS;
  const canSend = blocked === undefined && !isSending && !isTooLong && text.trim() !== "";
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // An Enter that ends a word of an input method is no Enter.
    if (event.key !== "Enter" || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) onSend();
  };
  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <div className="flex items-end gap-1 rounded-lg border border-input/60 bg-background p-1 focus-within:border-ring">
        {/* The row sizes itself by a hidden copy of the text, so no script has to measure it. */}
        <div className="grid max-h-[40dvh] min-w-0 flex-1 overflow-y-auto">
          <span aria-hidden className={cn(sized, "invisible break-words whitespace-pre-wrap")}>
            {text}{" "}
          </span>
          <textarea
            ref={field}
            rows={1}
            value={text}
            aria-label={label}
            aria-describedby={`${id}-hint`}
            aria-invalid={isTooLong || undefined}
            placeholder={label}
            autoFocus={autoFocus}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={onKeyDown}
            className={cn(sized, "resize-none overflow-hidden bg-transparent outline-none placeholder:text-muted-foreground")}
          />
        </div>
        {onStop === undefined ? (
          <Button type="submit" size="icon" aria-label={t("send")} title={t("send")} disabled={!canSend} busy={isSending}>
            {!isSending && <ArrowUp aria-hidden />}
          </Button>
        ) : (
          <Button variant="outline" aria-label={t("stop")} busy={isStopping} onClick={onStop} className="max-md:size-11 max-md:px-0">
            {!isStopping && <Square aria-hidden className="fill-current" />}
            <span className="max-md:hidden">{t("stop")}</span>
          </Button>
        )}
      </div>
      <div className="flex min-h-5 flex-wrap items-center gap-x-3 px-1 text-xs text-muted-foreground">
        <p id={`${id}-hint`} className={cn(isTooLong && "text-bad", blocked === undefined && !isTooLong && "max-md:hidden")}>
          {isTooLong ? t("tooLong", { most: MAX_MESSAGE_CHARS, count: text.length }) : (blocked ?? t("keys"))}
        </p>
        {children}
      </div>
    </form>
  );
}

const sized = "col-start-1 row-start-1 min-h-8 w-full min-w-0 px-2 py-1.5 text-sm leading-5 max-md:min-h-11 max-md:py-3 max-md:text-[16px]";
