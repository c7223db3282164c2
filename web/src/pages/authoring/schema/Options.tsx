import { Plus, X } from "lucide-react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";

import { meant, spelled } from "../controls/spelling";
import { focusSoon } from "../doc/focus";
import { idAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { optionsOf, withOptions, type Option } from "./options";
import type { Shape } from "./shape";

interface Props {
  schema: Doc;
  shape: Shape;
  onChange(schema: Doc): void;
  at: Path;
}

/** The choices of a field: what is sent, and what people read instead. */
export function Options({ schema, shape, onChange, at }: Props) {
  const t = useT();
  const options = optionsOf(schema, shape);
  const put = (next: Option[]) => onChange(withOptions(schema, shape, next));
  const change = (index: number, part: Partial<Option>) => put(options.map((option, place) => (place === index ? { ...option, ...part } : option)));
  const valueBox = (index: number) => `${idAt([...at, "enum"])}-${index}`;
  const add = () => {
    let number = options.length + 1;
    while (options.some(({ value }) => value === `option_${number}`)) number += 1;
    put([...options, { value: `option_${number}`, label: undefined }]);
    focusSoon(valueBox(options.length));
  };
  const remove = (index: number) => {
    put(options.filter((_, place) => place !== index));
    focusSoon(valueBox(Math.min(index, options.length - 2)));
  };
  return (
    <fieldset id={idAt([...at, "enum"])} tabIndex={-1} className="grid gap-1.5">
      <legend className="pb-1.5 text-sm font-medium">{t("field.options")}</legend>
      {options.map((option, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1.5">
          <Input id={valueBox(index)} aria-label={t("field.option.value", { number: index + 1 })} value={spelled(option.value)} onChange={(event) => change(index, { value: asChoice(event.target.value) })} />
          <Input aria-label={t("field.option.label", { number: index + 1 })} placeholder={t("field.option.labelHint")} value={option.label ?? ""} onChange={(event) => change(index, { label: event.target.value || undefined })} />
          <Button variant="ghost" size="icon" disabled={options.length === 1} aria-label={t("remove", { name: spelled(option.value) })} onClick={() => remove(index)}>
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <Button variant="outline" size="sm" className="justify-self-start" onClick={add}>
        <Plus aria-hidden />
        {t("field.option.add")}
      </Button>
    </fieldset>
  );
}

/** A choice is a text, a number or a truth value. */
function asChoice(text: string): unknown {
  const value = meant(text);
  return ["string", "number", "boolean"].includes(typeof value) ? value : text;
}
