import { useMemo } from "react";

import { useT } from "./messages";

/** What a page can lay out without a pause. */
const MAX_CHARS = 60_000;

/** The answer as it came. A long one is shown in part; it is whole in the download. */
export function RawJson({ value }: { value: unknown }) {
  const t = useT();
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const isCut = text.length > MAX_CHARS;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {/* It scrolls, so a keyboard must be able to get into it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={t("raw")} className="max-h-[32rem] overflow-auto rounded-lg border border-border bg-muted p-3 font-mono text-xs">
        {isCut ? `${text.slice(0, MAX_CHARS)}…` : text}
      </pre>
      {isCut && <p className="text-sm text-muted-foreground">{t("rawTooLong", { shown: size(MAX_CHARS), total: size(text.length) })}</p>}
    </div>
  );
}

function size(chars: number): string {
  return chars < 1_000_000 ? `${(chars / 1_000).toFixed(0)} kB` : `${(chars / 1_000_000).toFixed(1)} MB`;
}
