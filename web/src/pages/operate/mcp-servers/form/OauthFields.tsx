import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { Choices } from "../../shared/Choices";
import { Option } from "../../shared/Option";
import { useT } from "../messages";
import type { PartProps } from "./ConnectionFields";
import { EMPTY_OAUTH, type OauthDraft } from "./draft";

export function OauthFields({ draft: { oauth }, set }: PartProps) {
  const t = useT();
  const put = (part: Partial<OauthDraft>) => oauth && set({ oauth: { ...oauth, ...part } });
  const isMachine = oauth?.grant === "client_credentials";
  return (
    <>
      <Option label={t("form.oauth")} help={t("form.oauth.help")} checked={oauth !== undefined} onChange={(isOn) => set({ oauth: isOn ? EMPTY_OAUTH : undefined })} />
      {oauth && (
        <div className="grid gap-4 border-l-2 pl-4">
          <Choices
            label={t("form.oauth.grant")}
            value={oauth.grant}
            onChange={(grant) => put({ grant })}
            choices={(["authorization_code", "client_credentials"] as const).map((value) => ({ value, label: t(`form.oauth.grant.${value}`) }))}
          />
          {!isMachine && (
            <Choices
              label={t("form.oauth.per")}
              value={oauth.per}
              onChange={(per) => put({ per })}
              choices={(["tenant", "user"] as const).map((value) => ({ value, label: t(`form.oauth.per.${value}`) }))}
            />
          )}
          <Field id="oauth-client" label={t("form.oauth.clientId")} help={isMachine ? undefined : t("form.oauth.clientId.help")}>
            <Input id="oauth-client" required={isMachine} aria-describedby={isMachine ? undefined : "oauth-client-help"} value={oauth.clientId} onChange={(event) => put({ clientId: event.target.value })} spellCheck={false} />
          </Field>
          <Field id="oauth-secret" label={t("form.oauth.clientSecret")} help={t("form.oauth.clientSecret.help")}>
            <Input id="oauth-secret" required={isMachine} aria-describedby="oauth-secret-help" className="font-mono" value={oauth.clientSecret} onChange={(event) => put({ clientSecret: event.target.value })} spellCheck={false} />
          </Field>
          <Field id="oauth-scopes" label={t("form.oauth.scopes")} help={t("form.oauth.scopes.help")}>
            <Input id="oauth-scopes" aria-describedby="oauth-scopes-help" value={oauth.scopes} onChange={(event) => put({ scopes: event.target.value })} spellCheck={false} />
          </Field>
        </div>
      )}
    </>
  );
}
