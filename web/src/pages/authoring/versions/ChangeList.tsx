import { LineDiff } from "@/parts/diff/LineDiff";
import { cn } from "@/ui/cn";

import { useT } from "../messages";
import { changesBetween, isLongText, type Change } from "./changes";

interface KeyChange {
  key: string;
  from?: unknown;
  to?: unknown;
}

/** What differs, key by key and place by place. */
export function ChangeList({ changes }: { changes: KeyChange[] }) {
  const t = useT();
  if (changes.length === 0) return <p className="text-sm text-muted-foreground">{t("diff.none")}</p>;
  return (
    <div className="grid min-w-0 gap-4">
      {changes.map(({ key, from, to }) => (
        <section key={key} aria-label={key} className="grid min-w-0 gap-1.5">
          <h3 className="font-mono text-sm font-medium">{key}</h3>
          <ul className="grid min-w-0 divide-y rounded-lg border">
            {changesBetween(from ?? undefined, to ?? undefined).map((change) => (
              <li key={change.path.join("/")} className="grid min-w-0 gap-1 px-3 py-2">
                {change.path.length > 0 && <code className="font-mono text-xs break-all text-muted-foreground">{change.path.join(" › ")}</code>}
                <OneChange change={change} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function OneChange({ change: { from, to } }: { change: Change }) {
  const t = useT();
  if (isLongText(from) || isLongText(to)) return <LineDiff before={typeof from === "string" ? from : ""} after={typeof to === "string" ? to : ""} label={t("diff.text")} />;
  return (
    <div className="grid min-w-0 gap-1 text-sm">
      {from !== undefined && <Side sign="−" word={t("diff.before")} tone="bg-bad-soft" value={from} />}
      {to !== undefined && <Side sign="+" word={t("diff.after")} tone="bg-good-soft" value={to} />}
    </div>
  );
}

/** A list or a group that is longer than this is shown line by line. */
const LONG_CHARS = 100;

function Side({ sign, word, tone, value }: { sign: string; word: string; tone: string; value: unknown }) {
  const brief = JSON.stringify(value);
  const text = typeof value === "string" ? value : brief.length > LONG_CHARS ? JSON.stringify(value, null, 2) : brief;
  return (
    <div className={cn("flex min-w-0 gap-2 rounded-sm px-2 py-0.5", tone)}>
      <span aria-hidden className="font-mono">
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <span className="max-h-60 min-w-0 flex-1 overflow-y-auto font-mono text-xs break-words whitespace-pre-wrap">{text}</span>
    </div>
  );
}
