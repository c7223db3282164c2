import { useState } from "react";

import { useT } from "../messages";
import { handleOf } from "./draft";
import { useForm } from "./form";
import { Section } from "./Section";
import { TextField } from "./TextField";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

export function IdentitySection() {
  const t = useT();
  const { isNew } = useForm();
  return (
    <Section title={t("identity")} text={t("identity.text")}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {isNew ? <NewNames /> : <OldNames />}
      </div>
      <TextField name="bio" label={t("bio")} help={t("bio.help")} long />
      <TextField name="avatar_url" label={t("avatar")} help={t("avatar.help")} props={{ inputMode: "url" }} />
    </Section>
  );
}

/** While nobody has touched the handle, it follows the name. */
function NewNames() {
  const t = useT();
  const { draft, change, wrong, refused } = useForm();
  const [isOwn, setIsOwn] = useState(false);
  const error = (key: "display_name" | "handle") => (wrong[key] !== undefined ? t(`wrong.${wrong[key]}`) : refused[key]);
  const described = (key: "display_name" | "handle") => [key === "handle" && "agent-handle-help", error(key) !== undefined && `agent-${key}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <>
      <Field id="agent-display_name" label={t("displayName")} error={error("display_name")}>
        <Input
          id="agent-display_name"
          name="display_name"
          required
          autoFocus
          autoComplete="off"
          maxLength={120}
          value={draft.display_name}
          aria-invalid={error("display_name") !== undefined || undefined}
          aria-describedby={described("display_name")}
          onChange={({ target: { value } }) => change({ display_name: value, ...(isOwn ? {} : { handle: handleOf(value) }) })}
        />
      </Field>
      <Field id="agent-handle" label={t("handle")} help={t("handle.help")} error={error("handle")}>
        <Input
          id="agent-handle"
          name="handle"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={65}
          value={draft.handle}
          aria-invalid={error("handle") !== undefined || undefined}
          aria-describedby={described("handle")}
          onChange={({ target: { value } }) => {
            setIsOwn(value !== "");
            change({ handle: value });
          }}
        />
      </Field>
    </>
  );
}

function OldNames() {
  const t = useT();
  const { draft } = useForm();
  return (
    <>
      <TextField name="display_name" label={t("displayName")} props={{ maxLength: 120 }} />
      <Field id="agent-handle" label={t("handle")} help={t("handle.fixed")}>
        <Input id="agent-handle" value={draft.handle} readOnly aria-describedby="agent-handle-help" className="bg-muted text-muted-foreground" />
      </Field>
    </>
  );
}
