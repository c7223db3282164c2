import { useState } from "react";

import { useT } from "./messages";

const TEXT_MOST = 400;

/** Text as it was written; what is long is folded until somebody wants it. */
export function Folded({ text, className = "text-sm" }: { text: string; className?: string }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > TEXT_MOST;
  return (
    <div className={`min-w-0 ${className}`}>
      <p className="break-words whitespace-pre-wrap">{isLong && !isWhole ? `${text.slice(0, TEXT_MOST)}…` : text}</p>
      {isLong && (
        <button type="button" aria-expanded={isWhole} className="pt-1 text-link hover:underline max-md:min-h-11" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t("less") : t("whole", { count: text.length })}
        </button>
      )}
    </div>
  );
}
