import { useQuery } from "@tanstack/react-query";

import { providersQuery } from "@/api/every";

import { useT } from "../messages";
import { Section } from "./Section";
import { TextField } from "./TextField";

export function InstructionsSection() {
  const t = useT();
  return (
    <Section title={t("instructions")} text={t("instructions.text")}>
      <TextField name="persona" label={t("persona")} help={t("persona.help")} long />
    </Section>
  );
}

/** The providers of the tenant are suggested; those of the installation are known to the server only, so any name can be written. */
export function ModelSection() {
  const t = useT();
  const { data: providers = [] } = useQuery(providersQuery);
  const models = providers.flatMap(({ name, models: served = [] }) => served.map((model) => `${name}/${model}`));
  return (
    <Section title={t("model")} text={t("model.text")}>
      <TextField name="model" label={t("model.name")} help={t("model.help")} props={{ list: "agent-models", placeholder: "openai/gpt-4o", spellCheck: false, autoCapitalize: "none" }} />
      <datalist id="agent-models">
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField name="temperature" label={t("temperature")} help={t("temperature.help")} props={{ inputMode: "decimal" }} />
        <TextField name="max_output_tokens" label={t("maxOutputTokens")} help={t("provider.decides")} props={{ inputMode: "numeric" }} />
      </div>
    </Section>
  );
}
