import type { Schemas } from "@/api/client";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { Option } from "../../shared/Option";
import { useT } from "../messages";
import type { PartProps } from "./ConnectionFields";

type Egress = Schemas["EgressClass"];

/** Whoever asks another server reaches outside: `none` would make every tool unusable, and is shown only where a program said it. */
export const egressChoices = (said: Egress | "" | null | undefined): readonly Egress[] => (said === "none" ? ["none", "read_only", "write"] : ["read_only", "write"]);
export const RISKS: readonly Schemas["Risk"][] = ["low", "medium", "high", "critical"];

/** What is known of its tools. Unknown means that they write, and that each call asks. */
export function TermsFields({ draft, set, isNew }: PartProps & { isNew: boolean }) {
  const t = useT();
  const egresses = egressChoices(draft.egress);
  const prefix = draft.prefix.trim() || draft.name.trim() || "crm";
  const example = draft.hasPrefix ? `${prefix}_search` : "search";
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field id="server-egress" label={t("form.egress")} help={t("form.egress.help")}>
          <NativeSelect id="server-egress" aria-describedby="server-egress-help" value={draft.egress} onChange={(event) => set({ egress: egresses.find((one) => one === event.target.value) ?? "" })}>
            {isNew && <option value="">{t("form.egress.unknown")}</option>}
            {egresses.map((value) => (
              <option key={value} value={value}>
                {t(`form.egress.${value}`)}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field id="server-risk" label={t("form.risk")}>
          <NativeSelect id="server-risk" value={draft.risk} onChange={(event) => set({ risk: RISKS.find((one) => one === event.target.value) ?? "" })}>
            {isNew && <option value="">{t("form.risk.unknown")}</option>}
            {RISKS.map((value) => (
              <option key={value} value={value}>
                {t(`form.risk.${value}`)}
              </option>
            ))}
          </NativeSelect>
        </Field>
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
