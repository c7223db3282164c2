import type { ReactNode } from "react";

import { EGRESS } from "@/api/words";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { Textarea } from "@/ui/input";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { BOUNDS, BUDGETS, RATES, type Draft } from "./draft";
import { useT } from "./messages";
import { NumberField } from "./NumberField";

interface SectionProps {
  draft: Draft;
  onChange(next: Partial<Draft>): void;
}

export function RateSection({ draft, onChange }: SectionProps) {
  const t = useT();
  const set = (name: (typeof RATES)[number], next: Partial<Draft["rates"]["rate_limit"]>) => onChange({ rates: { ...draft.rates, [name]: { ...draft.rates[name], ...next } } });
  return (
    <Section title={t("rates")} help={t("rates.help")}>
      {RATES.map((name) => {
        const { limit, window } = draft.rates[name];
        return (
          <fieldset key={name} className="min-w-0">
            <legend className="pb-1 text-sm font-medium">{t(`rates.${name}`)}</legend>
            <div className="grid grid-cols-2 gap-3">
              <NumberField label={t("rates.limit")} placeholder={t("noLimit")} value={limit} onChange={(next) => set(name, { limit: next })} min={1} />
              <NumberField label={t("rates.window")} value={window} onChange={(next) => set(name, { window: next })} min={1} required={limit !== ""} />
            </div>
          </fieldset>
        );
      })}
      <NumberField label={t("dailyCalls")} help={t("dailyCalls.help")} placeholder={t("noLimit")} value={draft.dailyCalls} onChange={(dailyCalls) => onChange({ dailyCalls })} min={0} className="sm:w-1/2 sm:pr-1.5" />
    </Section>
  );
}

export function BudgetSection({ draft, onChange }: SectionProps) {
  const t = useT();
  const set = (name: (typeof BUDGETS)[number], next: Partial<Draft["budgets"]["budget"]>) => onChange({ budgets: { ...draft.budgets, [name]: { ...draft.budgets[name], ...next } } });
  return (
    <Section title={t("budgets")} help={t("budgets.help")}>
      {BUDGETS.map((name) => (
        <fieldset key={name} className="min-w-0">
          <legend className="pb-1 text-sm font-medium">{t(`budgets.${name}`)}</legend>
          <div className="grid grid-cols-2 gap-3">
            <NumberField label={t("budgets.daily")} placeholder={t("noLimit")} value={draft.budgets[name].daily} onChange={(daily) => set(name, { daily })} isAmount />
            <NumberField label={t("budgets.monthly")} placeholder={t("noLimit")} value={draft.budgets[name].monthly} onChange={(monthly) => set(name, { monthly })} isAmount />
          </div>
        </fieldset>
      ))}
    </Section>
  );
}

export function RunSection({ draft, onChange }: SectionProps) {
  const t = useT();
  return (
    <Section title={t("runs")} help={t("runs.help")}>
      <div className="grid gap-3 sm:grid-cols-3">
        {BOUNDS.map((name) => (
          <NumberField key={name} label={t(`runs.${name}`)} placeholder={t("asServer")} value={draft.bounds[name]} onChange={(next) => onChange({ bounds: { ...draft.bounds, [name]: next } })} min={0} isAmount={name === "max_budget"} />
        ))}
      </div>
      <Field id="egress" label={t("runs.egress")} help={t("runs.egress.help")}>
        <NativeSelect id="egress" value={draft.egress} aria-describedby="egress-help" onChange={(event) => onChange({ egress: EGRESS.find((one) => one === event.target.value) ?? "" })}>
          <option value="">{t("asServer")}</option>
          {EGRESS.map((one) => (
            <option key={one} value={one}>
              {t(`egress.${one}`)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field id="tools" label={t("runs.tools")} help={t("runs.tools.help")}>
        <Textarea id="tools" value={draft.tools} onChange={(event) => onChange({ tools: event.target.value })} aria-describedby="tools-help" spellCheck={false} className="font-mono" placeholder={t("runs.tools.all")} />
      </Field>
    </Section>
  );
}

function Section({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <Card>
      <CardHeader className="flex-col items-start gap-0.5">
        <CardTitle>{title}</CardTitle>
        <p className="text-sm text-muted-foreground">{help}</p>
      </CardHeader>
      <CardContent className="grid gap-4">{children}</CardContent>
    </Card>
  );
}
