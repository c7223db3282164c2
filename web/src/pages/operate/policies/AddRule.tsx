import { Plus } from "lucide-react";

import { Button } from "@/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownLabel, DropdownSeparator, DropdownTrigger } from "@/ui/dropdown";

import { BLANK, draftOf, type Rule } from "./document";
import { useT } from "./messages";
import { templates } from "./templates";
import type { Draft } from "./useDraft";

/** An id that no other rule has. */
function unused(id: string, draft: Draft): string {
  const taken = new Set(draft.rules.map((rule) => rule.id));
  if (id === "" || !taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}-${String(number)}`)) number += 1;
  return `${id}-${String(number)}`;
}

export function useAdd(draft: Draft) {
  return (rule: Rule) => draft.setRules([...draft.rules, draftOf({ ...rule, id: unused(rule.id, draft) })]);
}

export function AddRule({ draft }: { draft: Draft }) {
  const t = useT();
  const add = useAdd(draft);
  return (
    <Dropdown>
      <DropdownTrigger asChild>
        <Button variant="outline">
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DropdownTrigger>
      <DropdownContent align="end">
        <DropdownItem onSelect={() => add(BLANK)}>{t("add.blank")}</DropdownItem>
        <DropdownSeparator />
        <DropdownLabel>{t("add.examples")}</DropdownLabel>
        {templates(t).map(({ title, rule }) => (
          <DropdownItem key={rule.id} onSelect={() => add(rule)}>
            {title}
          </DropdownItem>
        ))}
      </DropdownContent>
    </Dropdown>
  );
}
