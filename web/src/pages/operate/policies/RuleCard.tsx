import { ChevronRight, CircleAlert, CircleCheck, Copy, Trash2 } from "lucide-react";
import { useId } from "react";

import { VerdictBadge } from "@/parts/badges/badges";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { cn } from "@/ui/cn";

import type { RuleDraft, Unreadable } from "./document";
import { useT } from "./messages";
import { RuleFields } from "./RuleFields";
import type { Check } from "./useDraft";

export interface RuleCardProps {
  rule: RuleDraft;
  index: number;
  check: Check;
  unreadable: Unreadable[];
  isOpen: boolean;
  onToggle(): void;
  onChange(rule: RuleDraft): void;
  onCopy(): void;
  onDelete(): void;
}

/** One rule: in a line what it says, opened what it is made of. */
export function RuleCard({ rule, index, check, unreadable, isOpen, onToggle, onChange, onCopy, onDelete }: RuleCardProps) {
  const t = useT();
  const body = useId();
  const id = rule.id || t("rule.untitled");
  const flaws = check.flaws.filter((flaw) => flaw.rule === index).length + unreadable.filter(({ place }) => place.startsWith(`rules[${String(index)}]`)).length;
  const examples = rule.match.length + rule.no_match.length;
  return (
    <Card>
      <div className="flex items-start gap-2 px-3 py-2">
        <button type="button" aria-expanded={isOpen} aria-controls={isOpen ? body : undefined} aria-label={t(isOpen ? "rule.close" : "rule.edit", { id })} onClick={onToggle} className="grid min-w-0 flex-1 grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-2 gap-y-0.5 rounded-sm text-left max-md:min-h-11">
          <ChevronRight aria-hidden className={cn("size-4 text-muted-foreground", isOpen && "rotate-90")} />
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <VerdictBadge value={rule.verdict} />
            <span className="font-mono text-sm font-medium break-all">{id}</span>
            {flaws > 0 ? (
              <Badge tone="bad">
                <CircleAlert aria-hidden />
                {t("rule.flaws", { count: flaws })}
              </Badge>
            ) : check.isGood ? (
              <Badge tone="quiet">
                <CircleCheck aria-hidden className="text-good" />
                {t("rule.examples", { count: examples })}
              </Badge>
            ) : null}
          </span>
          <span className="col-start-2 min-w-0 text-sm text-muted-foreground">
            {rule.because}
            <span className="block truncate font-mono text-xs">{[rule.tools || t("rule.allTools"), rule.when || t("rule.always")].join(" · ")}</span>
          </span>
        </button>
        <Button variant="ghost" size="icon" aria-label={t("rule.copy", { id })} onClick={onCopy}>
          <Copy aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("rule.delete", { id })} onClick={onDelete}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      {isOpen && (
        <div id={body} className="border-t p-4">
          <RuleFields rule={rule} index={index} check={check} unreadable={unreadable} onChange={onChange} />
        </div>
      )}
    </Card>
  );
}
