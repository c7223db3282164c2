import { useState, type FormEvent } from "react";

import type { Schemas } from "@/api/client";
import { today } from "@/parts/dates/range";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";
import { SheetBody, SheetFooter } from "@/ui/sheet";

import { HolderFields, type Holder } from "./HolderFields";
import { useT } from "./messages";
import { ScopesField } from "./ScopesField";
import { PRESETS, type Scope } from "./scopes";
import { expiryOf, type Lasting } from "./state";

interface KeyFormProps {
  error: unknown;
  isBusy: boolean;
  onCreate(params: Schemas["CreateKeyParams"]): void;
  onCancel(): void;
}

const LASTING: readonly Lasting[] = ["never", "30", "90", "365", "date"];

export function KeyForm({ error, isBusy, onCreate, onCancel }: KeyFormProps) {
  const t = useT();
  const [name, setName] = useState("");
  const [holder, setHolder] = useState<Holder>({ kind: "program", agent: undefined, person: undefined });
  const [scopes, setScopes] = useState<Scope[]>([...PRESETS.client]);
  const [lasting, setLasting] = useState<Lasting>("90");
  const [day, setDay] = useState("");
  const isWhole = scopes.length > 0 && (holder.kind !== "agent" || holder.agent !== undefined) && (holder.kind !== "person" || holder.person !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires = expiryOf(lasting, day, Date.now());
    onCreate({
      name: name.trim(),
      scopes,
      ...(expires === undefined ? {} : { expires_at: expires }),
      ...(holder.kind === "agent" ? { agent: holder.agent } : {}),
      ...(holder.kind === "person" ? { user: holder.person } : {}),
      ...(holder.kind === "service" ? { service_role: true } : {}),
    });
  };
  return (
    <form className="flex min-h-0 flex-1 flex-col" onSubmit={submit}>
      <SheetBody className="grid content-start gap-5">
        <Refusal error={error} />
        <Field id="key-name" label={t("form.name")} help={t("form.name.help")}>
          <Input id="key-name" required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} aria-describedby="key-name-help" autoComplete="off" />
        </Field>
        <HolderFields holder={holder} onChange={setHolder} />
        <ScopesField scopes={scopes} onChange={setScopes} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id="key-expires" label={t("form.expires")}>
            <NativeSelect id="key-expires" value={lasting} onChange={(event) => setLasting(LASTING.find((one) => one === event.target.value) ?? "90")}>
              {LASTING.map((one) => (
                <option key={one} value={one}>
                  {t(`form.expires.${one}`)}
                </option>
              ))}
            </NativeSelect>
          </Field>
          {lasting === "date" && (
            <Field id="key-day" label={t("form.expires.day")}>
              <Input id="key-day" type="date" required min={today()} value={day} onChange={(event) => setDay(event.target.value)} />
            </Field>
          )}
        </div>
      </SheetBody>
      <SheetFooter>
        <Button type="submit" busy={isBusy} disabled={!isWhole}>
          {t("create")}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </SheetFooter>
    </form>
  );
}
