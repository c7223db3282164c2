import { ShieldCheck } from "lucide-react";
import { useState } from "react";

import { notify } from "@/app/notify";
import { Empty } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useAdd } from "./AddRule";
import { BLANK, nextKey, type RuleDraft } from "./document";
import { useT } from "./messages";
import { RuleCard } from "./RuleCard";
import { templates } from "./templates";
import type { Check, Draft } from "./useDraft";

export function RuleList({ draft, check }: { draft: Draft; check: Check }) {
  const t = useT();
  const add = useAdd(draft);
  const [known, setKnown] = useState(() => new Set(draft.rules.map(({ key }) => key)));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // What was just added is open, so that it can be written at once.
  const added = draft.rules.filter(({ key }) => !known.has(key));
  if (added.length > 0) {
    setKnown(new Set(draft.rules.map(({ key }) => key)));
    if (added.length === 1) setOpen(new Set([...open, ...added.map(({ key }) => key)]));
  }
  const put = (at: number, rule: RuleDraft) => draft.setRules(draft.rules.map((old, index) => (index === at ? rule : old)));
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const remove = (rule: RuleDraft) => {
    const before = draft.rules;
    draft.setRules(before.filter(({ key }) => key !== rule.key));
    notify.done(t("rule.deleted", { id: rule.id || t("rule.untitled") }), { undo: () => draft.setRules(before) });
  };
  if (draft.rules.length === 0) {
    const begin = templates(t).map(({ title, rule }) => (
      <Button key={rule.id} variant="outline" onClick={() => add(rule)}>
        {title}
      </Button>
    ));
    return (
      <Empty icon={ShieldCheck} title={t("empty.title")} action={[...begin, <Button key="blank" variant="ghost" onClick={() => add(BLANK)}>{t("add.blank")}</Button>]}>
        {t("empty.text")}
      </Empty>
    );
  }
  return (
    <ul className="grid gap-2" aria-label={t("tab.rules")}>
      {draft.rules.map((rule, index) => (
        <li key={rule.key}>
          <RuleCard
            rule={rule}
            index={index}
            check={check}
            unreadable={draft.unreadable}
            isOpen={open.has(rule.key)}
            onToggle={() => toggle(rule.key)}
            onChange={(next) => put(index, next)}
            onCopy={() => draft.setRules([...draft.rules, { ...rule, key: nextKey(), id: `${rule.id}-copy` }])}
            onDelete={() => remove(rule)}
          />
        </li>
      ))}
    </ul>
  );
}
