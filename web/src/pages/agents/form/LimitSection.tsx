import { EGRESS } from "@/api/words";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";
import { Switch } from "@/ui/switch";
import { Label } from "@/ui/label";

import { useT } from "../messages";
import { useForm } from "./form";
import { NameList } from "./NameList";
import { Section } from "./Section";
import { TextField } from "./TextField";

/** What bounds one run. A bound above the server's own is cut down to it, by the server. */
export function LimitSection({ tools }: { tools: readonly string[] }) {
  const t = useT();
  const { draft, change, isReadOnly } = useForm();
  const id = "agent-side_effects";
  return (
    <Section title={t("limits")} text={t("limits.text")}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField name="max_budget" label={t("maxBudget")} help={t("maxBudget.help")} props={{ inputMode: "decimal" }} />
        <TextField name="max_tool_calls" label={t("maxToolCalls")} help={t("server.decides")} props={{ inputMode: "numeric" }} />
        <TextField name="max_iterations" label={t("maxIterations")} help={t("server.decides")} props={{ inputMode: "numeric" }} />
        <Field id={id} label={t("sideEffects")} help={t("sideEffects.help")}>
          <NativeSelect id={id} value={draft.side_effects} disabled={isReadOnly} aria-describedby={`${id}-help`} onChange={({ target: { value } }) => change({ side_effects: EGRESS.find((one) => one === value) ?? "" })}>
            <option value="">{t("sideEffects.any")}</option>
            {EGRESS.map((value) => (
              <option key={value} value={value}>
                {t(`sideEffects.${value}`)}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <Only id="agent-enabled_tools" label={t("enabledTools")} help={t("enabledTools.help")} value={draft.enabled_tools} suggestions={tools} isReadOnly={isReadOnly} onChange={(enabled_tools) => change({ enabled_tools })} />
    </Section>
  );
}

interface OnlyProps {
  id: string;
  label: string;
  help: string;
  value: string[] | undefined;
  suggestions: readonly string[];
  isReadOnly: boolean;
  onChange(value: string[] | undefined): void;
}

/** “Only these”, which is something else than nothing said: an empty list lets nothing through. */
export function Only({ id, label, help, value, suggestions, isReadOnly, onChange }: OnlyProps) {
  return (
    <div className="grid gap-3">
      <div className="flex items-start gap-3">
        <Switch id={`${id}-only`} checked={value !== undefined} disabled={isReadOnly} aria-describedby={`${id}-only-help`} onCheckedChange={(isOn) => onChange(isOn ? [] : undefined)} />
        <div>
          <Label htmlFor={`${id}-only`}>{label}</Label>
          <p id={`${id}-only-help`} className="text-xs text-muted-foreground">
            {help}
          </p>
        </div>
      </div>
      {value !== undefined && <NameList id={id} label={label} value={value} suggestions={suggestions} isReadOnly={isReadOnly} onChange={onChange} />}
    </div>
  );
}
