import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { Option } from "../../shared/Option";
import { useT } from "../messages";
import type { PartProps } from "./ConnectionFields";
import { EgressSelect, RiskSelect } from "./TermSelects";

/** What is known of its tools. Unknown means that they write, and that each call asks. */
export function TermsFields({ draft, set, isNew }: PartProps & { isNew: boolean }) {
  const t = useT();
  const prefix = draft.prefix.trim() || draft.name.trim() || "crm";
  const example = draft.hasPrefix ? `${prefix}_search` : "search";
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <EgressSelect id="server-egress" label={t("form.egress")} help={t("form.egress.help")} value={draft.egress || undefined} unsaid={isNew ? t("form.egress.unknown") : undefined} onChange={(egress) => set({ egress: egress ?? "" })} />
        <RiskSelect id="server-risk" label={t("form.risk")} value={draft.risk || undefined} unsaid={isNew ? t("form.risk.unknown") : undefined} onChange={(risk) => set({ risk: risk ?? "" })} />
        <Field id="server-prefix" label={t("form.prefix")} help={isNew ? t("form.prefix.help", { example }) : t("form.prefix.fixed")}>
          <Input id="server-prefix" aria-describedby="server-prefix-help" disabled={!isNew || !draft.hasPrefix} placeholder={draft.name} value={draft.hasPrefix ? draft.prefix : ""} onChange={(event) => set({ prefix: event.target.value })} spellCheck={false} />
        </Field>
        <Field id="server-timeout" label={t("form.timeout")} help={t("form.timeout.help")}>
          <Input id="server-timeout" type="number" min={0.001} step="any" aria-describedby="server-timeout-help" value={draft.timeoutS} onChange={(event) => set({ timeoutS: event.target.value })} />
        </Field>
      </div>
      {isNew && <Option label={t("form.noPrefix")} checked={!draft.hasPrefix} onChange={(none) => set({ hasPrefix: !none })} />}
    </>
  );
}
