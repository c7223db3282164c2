import { EGRESS } from "@/api/words";
import { CodeEditor } from "@/parts/form/editor/CodeEditor";
import { Checkbox } from "@/ui/checkbox";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { AgentsField } from "./AgentsField";
import type { Verdict } from "./document";
import { ExamplesField } from "./ExamplesField";
import { flawAt } from "./flaws";
import { useT } from "./messages";
import type { RuleCardProps } from "./RuleCard";
import { Words } from "./Words";

const VERDICTS: readonly Verdict[] = ["allow", "ask", "deny"];

type Props = Pick<RuleCardProps, "rule" | "index" | "check" | "unreadable" | "onChange">;

/** What a rule is made of. What is wrong stands at the field that it is about. */
export function RuleFields({ rule, index, check, unreadable, onChange }: Props) {
  const t = useT();
  const set = (part: Partial<Props["rule"]>) => onChange({ ...rule, ...part });
  const wrong = (field: string) => flawAt(check.flaws, `rules[${String(index)}].${field}`);
  const id = (field: string) => `${rule.key}-${field}`;
  const text = (field: "id" | "because" | "description" | "tools", help: string) => (
    <Field id={id(field)} label={t(`field.${field}`)} help={help} error={wrong(field)} className="content-start">
      <Input id={id(field)} value={rule[field]} aria-invalid={wrong(field) !== undefined} aria-describedby={`${id(field)}-help ${id(field)}-error`} onChange={(event) => set({ [field]: event.target.value })} spellCheck={field === "because" || field === "description"} autoComplete="off" />
    </Field>
  );
  return (
    <div className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        {text("id", t("field.id.help"))}
        <div className="grid content-start gap-1.5">
          <span id={id("verdict")} className="text-sm font-medium">
            {t("field.verdict")}
          </span>
          <ToggleGroup type="single" value={rule.verdict} aria-labelledby={id("verdict")} className="justify-self-start" onValueChange={(next) => set({ verdict: VERDICTS.find((one) => one === next) ?? rule.verdict })}>
            {VERDICTS.map((verdict) => (
              <ToggleGroupItem key={verdict} value={verdict} className="px-3">
                {t(`verdict.${verdict}`)}
              </ToggleGroupItem>
            ))}
          </ToggleGroup>
          <p className="text-xs text-muted-foreground">{t(`verdict.${rule.verdict}.help`)}</p>
        </div>
        {text("because", t("field.because.help"))}
        {text("tools", t("field.tools.help"))}
        <AgentsField id={id("agents")} chosen={rule.agents} error={wrong("agents")} onChange={(agents) => set({ agents })} />
        <fieldset className="grid content-start gap-1.5">
          <legend className="pb-1.5 text-sm font-medium">{t("field.egress")}</legend>
          <div className="flex flex-wrap gap-4">
            {EGRESS.map((value) => (
              <label key={value} className="flex items-center gap-2 text-sm max-md:min-h-11">
                <Checkbox checked={rule.egress.includes(value)} onCheckedChange={(isOn) => set({ egress: EGRESS.filter((one) => (one === value ? isOn === true : rule.egress.includes(one))) })} />
                {t(`egress.${value}`)}
              </label>
            ))}
          </div>
          <p className="text-xs text-muted-foreground">{t("field.egress.help")}</p>
        </fieldset>
      </div>
      <div className="grid gap-1.5">
        <span className="text-sm font-medium">{t("field.when")}</span>
        <CodeEditor id={id("when")} label={t("field.when")} language="text" value={rule.when} onChange={(when) => set({ when })} isInvalid={wrong("when") !== undefined} />
        <p className="text-xs text-muted-foreground">{t("field.when.help")}</p>
        {wrong("when") !== undefined && (
          <p role="alert" className="text-xs break-words text-bad">
            {wrong("when")}
          </p>
        )}
        <Words />
      </div>
      <ExamplesField rule={rule} index={index} check={check} unreadable={unreadable} onChange={onChange} />
      {text("description", t("field.description.help"))}
    </div>
  );
}
