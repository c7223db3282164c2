import { CircleAlert, Info, OctagonAlert, type LucideIcon } from "lucide-react";

import type { Schemas } from "@/api/client";
import { cn } from "@/ui/cn";

import { ReadyDiff } from "../../shared/DiffView";
import { visible } from "../../shared/line-diff";
import { useT } from "../messages";
import type { Change } from "../queries";
import { useDiffWords } from "./words";

const LOOK: Record<Schemas["Severity"], [LucideIcon, string]> = {
  danger: [OctagonAlert, "text-bad"],
  warning: [CircleAlert, "text-warn"],
  info: [Info, "text-info"],
};

/** What matters, the strictest first, in words; the texts against each other where they changed. */
export function Changes({ changes }: { changes: Change[] }) {
  const t = useT();
  return (
    <ul className="grid gap-3" aria-label={t("whatChanged")}>
      {changes.map((change, index) => (
        <ChangeItem key={index} change={change} />
      ))}
    </ul>
  );
}

function ChangeItem({ change: { severity, kind, message, at, diff } }: { change: Change }) {
  const t = useT();
  const words = useDiffWords();
  const [Icon, color] = LOOK[severity];
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 gap-y-1.5 text-sm">
      <Icon aria-hidden className={cn("mt-0.5 size-4", color)} />
      <p className="min-w-0 break-words">
        <span className="sr-only">{t(`severity.${severity}`)}: </span>
        <strong className={cn("font-medium", color)}>{t(`kind.${kind}`)}</strong> <span className="text-muted-foreground">{visible(message)}</span>
        {at && <code className="ml-1.5 font-mono text-xs text-muted-foreground">{at}</code>}
      </p>
      {diff && (
        <div className="col-start-2 min-w-0">
          <ReadyDiff label={t(`kind.${kind}`)} diff={diff} words={words} />
        </div>
      )}
    </li>
  );
}
