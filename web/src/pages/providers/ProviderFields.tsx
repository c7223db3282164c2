import { useQuery } from "@tanstack/react-query";

import { secretsQuery } from "@/api/every";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { APIS, type Draft } from "./draft";
import { useT } from "./messages";

interface ProviderFieldsProps {
  draft: Draft;
  onChange(next: Partial<Draft>): void;
  isNew: boolean;
}

export function ProviderFields({ draft, onChange, isNew }: ProviderFieldsProps) {
  const t = useT();
  // Whoever may not list them types one.
  const { data: secrets = [] } = useQuery({ ...secretsQuery, retry: false });
  const names = [...new Set(secrets.map(({ name }) => name))].sort();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field id="provider-name" label={t("column.name")} help={t("name.help")}>
          <Input id="provider-name" value={draft.name} onChange={(event) => onChange({ name: event.target.value })} required maxLength={64} pattern="[A-Za-z0-9_.\-]+" autoFocus={isNew} autoComplete="off" spellCheck={false} aria-describedby="provider-name-help" />
        </Field>
        <Field id="provider-api" label={t("column.api")} help={t("api.help")}>
          <NativeSelect id="provider-api" value={draft.api} onChange={(event) => onChange({ api: APIS.find((one) => one === event.target.value) ?? draft.api })} aria-describedby="provider-api-help">
            {APIS.map((one) => (
              <option key={one} value={one}>
                {t(`api.${one}`)}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <Field id="provider-url" label={t("url")} help={t("url.help")}>
        <Input id="provider-url" type="url" value={draft.baseUrl} onChange={(event) => onChange({ baseUrl: event.target.value })} required={draft.api === "openai_compatible"} placeholder="https://models.example/v1" autoComplete="off" spellCheck={false} aria-describedby="provider-url-help" />
      </Field>
      <Field id="provider-secret" label={t("column.key")} help={t("key.help")}>
        <Input id="provider-secret" list="provider-secrets" value={draft.secret} onChange={(event) => onChange({ secret: event.target.value })} placeholder="MODEL_KEY" autoComplete="off" spellCheck={false} aria-describedby="provider-secret-help" className="font-mono" />
      </Field>
      <datalist id="provider-secrets">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field id="provider-timeout" label={t("timeout")}>
          <Input id="provider-timeout" type="number" min={1} max={3600} step="any" value={draft.timeoutS} onChange={(event) => onChange({ timeoutS: event.target.value })} placeholder={t("asServer")} />
        </Field>
        <Field id="provider-idle" label={t("idle")}>
          <Input id="provider-idle" type="number" min={1} max={3600} step="any" value={draft.idleTimeoutS} onChange={(event) => onChange({ idleTimeoutS: event.target.value })} placeholder={t("asServer")} />
        </Field>
        <Field id="provider-retries" label={t("retries")}>
          <Input id="provider-retries" type="number" min={0} step={1} value={draft.retries} onChange={(event) => onChange({ retries: event.target.value })} placeholder={t("asServer")} />
        </Field>
      </div>
    </>
  );
}
