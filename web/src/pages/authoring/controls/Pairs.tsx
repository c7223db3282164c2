import { Plus, X } from "lucide-react";
import { useState } from "react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";

import { focusSoon } from "../doc/focus";
import { isSame } from "../doc/json";
import { useT } from "../messages";
import { objectOf, pairsOf, stillMeans, type Pair } from "./spelling";
import type { ControlProps } from "./types";

/** Names and values: the members of an object. */
export function Pairs({ id, label, value, onChange, spec, describedBy, isInvalid, disabled }: ControlProps) {
  const t = useT();
  const [rows, setRows] = useState<Pair[]>(() => pairsOf(value));
  const [known, setKnown] = useState(value);
  // A row that has no name yet is only here; all else follows the document.
  if (!isSame(value, known)) {
    setKnown(value);
    if (!stillMeans(rows, value)) setRows(pairsOf(value));
  }
  const put = (next: Pair[]) => {
    setRows(next);
    onChange(objectOf(next));
  };
  const nameBox = (index: number) => `${id}-name-${index}`;
  const add = () => {
    setRows([...rows, { name: "", text: "" }]);
    focusSoon(nameBox(rows.length));
  };
  const remove = (index: number) => {
    put(rows.filter((_, at) => at !== index));
    focusSoon(rows.length === 1 ? `${id}-add` : nameBox(Math.min(index, rows.length - 2)));
  };
  const change = (index: number, part: Partial<Pair>) => put(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <div id={id} tabIndex={-1} role="group" aria-label={label} aria-describedby={describedBy} className="grid gap-1.5">
      {rows.map((row, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-1.5">
          <Input id={nameBox(index)} aria-label={t("pairs.name", { label, number: index + 1 })} value={row.name} placeholder={t("pairs.namePlaceholder")} disabled={disabled} aria-invalid={isInvalid || undefined} onChange={(event) => change(index, { name: event.target.value })} />
          <Input aria-label={t("pairs.value", { label, number: index + 1 })} value={row.text} placeholder={spec.placeholder ?? "$input.name"} disabled={disabled} aria-invalid={isInvalid || undefined} onChange={(event) => change(index, { text: event.target.value })} />
          <Button variant="ghost" size="icon" disabled={disabled} aria-label={t("remove", { name: row.name || String(index + 1) })} onClick={() => remove(index)}>
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <Button id={`${id}-add`} variant="outline" size="sm" className="justify-self-start" disabled={disabled} onClick={add}>
        <Plus aria-hidden />
        {t("pairs.add", { label })}
      </Button>
    </div>
  );
}
