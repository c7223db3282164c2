import { rangeSpec, type WidgetProps } from "@rjsf/utils";

import { useT } from "../messages";
import { CHECK } from "../styles";
import { aria } from "./aria";

export function RangeWidget(props: WidgetProps) {
  const { id, value, schema, disabled, readonly, onChange } = props;
  const { min = 0, max = 100, step } = rangeSpec(schema);
  const number = typeof value === "number" ? value : undefined;
  return (
    <div className="flex items-center gap-3">
      <input
        id={id}
        name={id}
        type="range"
        className="h-11 w-full accent-primary sm:h-8"
        min={min}
        max={max}
        step={step ?? (schema.type === "integer" ? 1 : "any")}
        disabled={disabled || readonly}
        value={number ?? min}
        onChange={(event) => onChange(Number(event.target.value))}
        {...aria(props)}
      />
      <output htmlFor={id} className="w-16 text-right font-mono text-sm tabular-nums">
        {number ?? "–"}
      </output>
    </div>
  );
}

const MOST_STARS = 10;

export function RatingWidget(props: WidgetProps) {
  const { id, value, schema, disabled, readonly, onChange, label } = props;
  const t = useT();
  const most = Math.min(schema.maximum ?? 5, MOST_STARS);
  const least = Math.max(schema.minimum ?? 1, 0);
  const marks = Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => index + least);
  return (
    <div id={id} tabIndex={-1} role="radiogroup" aria-label={label} className="flex flex-wrap gap-3" {...aria(props)}>
      {marks.map((mark) => (
        <label key={mark} className="flex min-h-11 items-center gap-1.5 sm:min-h-8">
          <input
            type="radio"
            name={id}
            className={CHECK}
            aria-label={t("rating", { number: mark, max: most })}
            disabled={disabled || readonly}
            checked={value === mark}
            onChange={() => onChange(mark)}
          />
          <span aria-hidden>{mark}</span>
        </label>
      ))}
    </div>
  );
}
