import { useMemo, useState } from "react";

import { Badge, type Tone } from "@/ui/badge";

import { changesOf, MOST, type Change } from "./changes";
import { useT } from "./messages";

const TONES: Record<Change["kind"], Tone> = { added: "good", removed: "bad", changed: "info" };
/** Longer values are folded until somebody wants them. */
const TEXT_MOST = 300;

export interface JsonDiffProps {
  before: unknown;
  after: unknown;
  /** What is compared, for those who do not see where it stands. */
  label: string;
}

/** What differs between two values, place by place. Signs and words say what the colours say. */
export function JsonDiff({ before, after, label }: JsonDiffProps) {
  const t = useT();
  const changes = useMemo(() => changesOf(before, after), [before, after]);
  if (changes.length === 0) return <p className="text-sm text-muted-foreground">{t("none")}</p>;
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label={label} className="flex flex-col divide-y rounded-lg border">
        {changes.map((change, index) => (
          <li key={`${change.path} ${String(index)}`} className="flex min-w-0 flex-col gap-1 px-3 py-2">
            <span className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-xs break-all">{change.path === "" ? t("whole") : change.path}</code>
              <Badge tone={TONES[change.kind]}>{t(change.kind)}</Badge>
            </span>
            {change.kind !== "added" && <Side sign="−" name={t("before")} value={change.before} className="bg-bad-soft text-bad" />}
            {change.kind !== "removed" && <Side sign="+" name={t("after")} value={change.after} className="bg-good-soft text-good" />}
          </li>
        ))}
      </ul>
      {changes.length >= MOST && <p className="text-sm text-muted-foreground">{t("more")}</p>}
    </div>
  );
}

function Side({ sign, name, value, className }: { sign: string; name: string; value: unknown; className: string }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  const isLong = text.length > TEXT_MOST;
  return (
    <div className={`flex gap-2 rounded-sm px-2 py-1 font-mono text-xs ${className}`}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{name}:</span>
      <span className="min-w-0 break-words whitespace-pre-wrap">
        {isLong && !isWhole ? `${text.slice(0, TEXT_MOST)}…` : text}
        {isLong && (
          <button type="button" className="ml-2 text-link underline max-md:py-3" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? t("showLess") : t("showAll", { count: text.length })}
          </button>
        )}
      </span>
    </div>
  );
}
