import { Plus, X } from "lucide-react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";

import { useT } from "../messages";
import type { Quota } from "./draft";
import { useForm } from "./form";
import { Only } from "./LimitSection";
import { NameList } from "./NameList";
import { Section } from "./Section";

/** What it may do on its own, and how often a day. */
export function ActionSection({ tools }: { tools: readonly string[] }) {
  const t = useT();
  const { draft, change, isReadOnly } = useForm();
  const actions = ["run", ...tools];
  return (
    <Section title={t("actions")} text={t("actions.text")}>
      <Only id="agent-allowed" label={t("actions.allowed")} help={t("actions.allowed.help")} value={draft.allowed} suggestions={actions} isReadOnly={isReadOnly} onChange={(allowed) => change({ allowed })} />
      <NameList id="agent-blocked" label={t("actions.blocked")} help={t("actions.blocked.help")} value={draft.blocked} suggestions={actions} isReadOnly={isReadOnly} onChange={(blocked) => change({ blocked })} />
      <Quotas actions={actions} />
    </Section>
  );
}

function Quotas({ actions }: { actions: readonly string[] }) {
  const t = useT();
  const { draft, change, wrong, isReadOnly } = useForm();
  const { quotas } = draft;
  const put = (at: number, next: Partial<Quota>) => change({ quotas: quotas.map((quota, index) => (index === at ? { ...quota, ...next } : quota)) });
  return (
    <fieldset className="grid min-w-0 gap-2" disabled={isReadOnly} aria-describedby="agent-quotas-help">
      <legend className="pb-1 text-sm font-medium">{t("quota")}</legend>
      <p id="agent-quotas-help" className="text-xs text-muted-foreground">
        {t("quota.help")}
      </p>
      <datalist id="agent-actions">
        {["*", ...actions].map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      {quotas.map(({ action, count }, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_6rem_auto] items-center gap-2">
          <Input aria-label={t("quota.action")} list="agent-actions" value={action} placeholder={t("quota.action")} onChange={({ target }) => put(index, { action: target.value })} />
          <Input aria-label={t("quota.count")} inputMode="numeric" value={count} placeholder={t("quota.perDay")} onChange={({ target }) => put(index, { count: target.value })} />
          {!isReadOnly && (
            <Button variant="ghost" size="icon" aria-label={t("list.remove", { name: action || t("quota.action") })} onClick={() => change({ quotas: quotas.filter((_, at) => at !== index) })}>
              <X aria-hidden />
            </Button>
          )}
        </div>
      ))}
      {wrong.quotas !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {t("wrong.quota")}
        </p>
      )}
      {!isReadOnly && (
        <Button variant="outline" size="sm" className="justify-self-start" onClick={() => change({ quotas: [...quotas, { action: quotas.length === 0 ? "*" : "", count: "" }] })}>
          <Plus aria-hidden />
          {t("quota.add")}
        </Button>
      )}
    </fieldset>
  );
}
