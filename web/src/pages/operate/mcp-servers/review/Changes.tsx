import { CircleAlert, Info, OctagonAlert, type LucideIcon } from "lucide-react";

import type { Schemas } from "@/api/client";
import { LineDiff } from "@/parts/diff/LineDiff";
import { cn } from "@/ui/cn";

import { visible } from "../../shared/visible";
import { useT } from "../messages";
import type { Change } from "../queries";
import { sidesOf } from "./sides";

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
          <LineDiff label={t(`kind.${kind}`)} {...sidesOf(visible(diff))} />
        </div>
      )}
    </li>
  );
}
