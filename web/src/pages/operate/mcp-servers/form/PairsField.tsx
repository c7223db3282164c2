import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useId, useRef } from "react";

import { secretsQuery } from "@/api/every";
import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { NativeSelect } from "@/ui/native-select";

import { useAccess } from "../../shared/access";
import { useT } from "../messages";
import type { Pair } from "./draft";

interface PairsFieldProps {
  kind: "headers" | "env";
  pairs: Pair[];
  onChange(pairs: Pair[]): void;
}

/** Headers or variables. A secret is chosen by name; its value never comes here. */
export function PairsField({ kind, pairs, onChange }: PairsFieldProps) {
  const t = useT();
  const id = useId();
  const { seesSecrets } = useAccess();
  const { data: secrets = [] } = useQuery({ ...secretsQuery, enabled: seesSecrets });
  const names = [...new Set(secrets.map(({ name }) => name))];
  const place = useRef<HTMLFieldSetElement>(null);
  /** The new field when there is one; and not nowhere when the one in focus is gone. */
  const focus = (what: "[data-name]" | "[data-add]") => requestAnimationFrame(() => [...(place.current?.querySelectorAll<HTMLElement>(what) ?? [])].at(-1)?.focus());
  const add = () => {
    onChange([...pairs, { name: "", value: "" }]);
    focus("[data-name]");
  };
  const remove = (at: number) => {
    onChange(pairs.filter((_, index) => index !== at));
    focus("[data-add]");
  };
  const put = (at: number, part: Partial<Pair>) => onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...part } : pair)));
  return (
    <fieldset ref={place} className="grid gap-2" aria-describedby={`${id}-help`}>
      <legend className="pb-1.5 text-sm font-medium">{t(`form.${kind}`)}</legend>
      {pairs.map((pair, index) => {
        const number = index + 1;
        return (
          <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_auto] items-center gap-2 max-sm:grid-cols-[minmax(0,1fr)_auto]">
            <Input data-name="" aria-label={t("form.pair.name", { number })} value={pair.name} placeholder={kind === "headers" ? "Authorization" : "API_TOKEN"} className="font-mono" onChange={(event) => put(index, { name: event.target.value })} spellCheck={false} />
            <div className="flex min-w-0 gap-1 max-sm:order-last max-sm:col-span-2">
              <Input aria-label={t("form.pair.value", { number })} value={pair.value} placeholder="Bearer {$secret.NAME}" className="font-mono" onChange={(event) => put(index, { value: event.target.value })} spellCheck={false} />
              {names.length > 0 && (
                <NativeSelect aria-label={t("form.pair.secret", { number })} value="" className="w-28 shrink-0" onChange={(event) => put(index, { value: `${pair.value}{$secret.${event.target.value}}` })}>
                  <option value="">{t("form.pair.secret.short")}</option>
                  {names.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </div>
            <Button variant="ghost" size="icon" aria-label={t("form.pair.remove", { name: pair.name || number })} onClick={() => remove(index)}>
              <X aria-hidden />
            </Button>
          </div>
        );
      })}
      <p id={`${id}-help`} className="text-xs text-muted-foreground">
        {t("form.pairs.help")}
      </p>
      <Button data-add="" variant="outline" size="sm" className="justify-self-start" onClick={add}>
        <Plus aria-hidden />
        {t(`form.pair.add.${kind}`)}
      </Button>
    </fieldset>
  );
}
