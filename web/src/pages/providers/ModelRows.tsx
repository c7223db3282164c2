import { Plus, X } from "lucide-react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";

import { emptyRow, PRICES, type ModelRow } from "./draft";
import { useT } from "./messages";

/** The models and what they cost. The first is the one that is asked when nobody says which. */
export function ModelRows({ rows, onChange }: { rows: ModelRow[]; onChange(rows: ModelRow[]): void }) {
  const t = useT();
  const set = (at: number, next: ModelRow) => onChange(rows.map((row, index) => (index === at ? next : row)));
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{t("column.models")}</legend>
      <p className="pb-2 text-xs text-muted-foreground">{t("models.help")}</p>
      <ol className="grid gap-3">
        {rows.map((row, index) => (
          <li key={index} className="grid gap-2 rounded-lg border p-3">
            <div className="flex gap-2">
              <Input aria-label={t("model", { number: index + 1 })} value={row.name} onChange={(event) => set(index, { ...row, name: event.target.value })} placeholder={t("model.placeholder")} maxLength={200} autoComplete="off" spellCheck={false} className="font-mono" />
              <Button variant="ghost" size="icon" aria-label={t("model.remove", { number: index + 1 })} onClick={() => onChange(rows.filter((_, place) => place !== index))}>
                <X aria-hidden />
              </Button>
            </div>
            <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
              {PRICES.map((price) => (
                <label key={price} className="grid gap-0.5 text-xs text-muted-foreground">
                  {t(`price.${price}`)}
                  <Input type="number" min={0} step="any" value={row.prices[price]} onChange={(event) => set(index, { ...row, prices: { ...row.prices, [price]: event.target.value } })} />
                </label>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <Button variant="outline" className="mt-2" onClick={() => onChange([...rows, emptyRow()])}>
        <Plus aria-hidden />
        {t("model.add")}
      </Button>
    </fieldset>
  );
}
