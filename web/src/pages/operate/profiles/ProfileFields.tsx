import type { ComponentProps } from "react";

import { Input, Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import { Option } from "../shared/Option";
import type { ProfileDraft } from "./draft";
import { useT } from "./messages";

interface ProfileFieldsProps {
  draft: ProfileDraft;
  set(part: Partial<ProfileDraft>): void;
  isFixed: boolean;
}

type Numbers = "quorum" | "cost" | "limit" | "windowS" | "timeoutS";

export function ProfileFields({ draft, set, isFixed }: ProfileFieldsProps) {
  const t = useT();
  const number = (name: Numbers, label: string, help: string | undefined, more: ComponentProps<"input">) => (
    <Field id={`profile-${name}`} label={label} help={help} className="content-start">
      <Input id={`profile-${name}`} type="number" disabled={isFixed} value={draft[name]} aria-describedby={help === undefined ? undefined : `profile-${name}-help`} onChange={(event) => set({ [name]: event.target.value })} {...more} />
    </Field>
  );
  return (
    <>
      <Field id="profile-name" label={t("form.name")}>
        <Input id="profile-name" required maxLength={100} disabled={isFixed} value={draft.name} onChange={(event) => set({ name: event.target.value })} autoComplete="off" />
      </Field>
      <Field id="profile-description" label={t("form.description")}>
        <Textarea id="profile-description" maxLength={2_000} disabled={isFixed} value={draft.description} onChange={(event) => set({ description: event.target.value })} />
      </Field>
      <Option label={t("form.approval")} help={t("form.approval.help")} checked={draft.asks} disabled={isFixed} onChange={(asks) => set({ asks })} />
      <Option label={t("form.self")} checked={draft.allowSelf} disabled={isFixed} onChange={(allowSelf) => set({ allowSelf })} />
      <Option label={t("form.independent")} checked={draft.independent} disabled={isFixed} onChange={(independent) => set({ independent })} />
      <div className="grid gap-4 sm:grid-cols-2">
        {number("quorum", t("form.quorum"), t("form.quorum.help"), { min: 1, max: 20, step: 1 })}
        {number("cost", t("form.cost"), t("form.cost.help"), { min: 0, step: "any" })}
        {number("limit", t("form.limit"), t("form.rate.help"), { min: 1, step: 1, required: draft.windowS !== "" })}
        {number("windowS", t("form.window"), undefined, { min: 1, step: 1, required: draft.limit !== "" })}
        {number("timeoutS", t("form.timeout"), t("form.timeout.help"), { min: 0.001, step: "any" })}
      </div>
    </>
  );
}
