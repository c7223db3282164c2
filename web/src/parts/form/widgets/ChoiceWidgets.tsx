import { enumOptionsDeselectValue, enumOptionsSelectValue, type WidgetProps } from "@rjsf/utils";

import { useT } from "../messages";
import { CHECK, CONTROL } from "../styles";
import { aria } from "./aria";

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** One of a list. The values of the options are their places, as a value need not be a text. */
export function SelectWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, multiple, onChange, required, schema } = props;
  const t = useT();
  if (multiple) return <CheckboxesWidget {...props} />;
  const choices = options.enumOptions ?? [];
  const chosen = choices.findIndex((choice) => same(choice.value, value));
  const canBeEmpty = schema.default === undefined || !required;
  return (
    <select
      id={id}
      name={id}
      className={CONTROL}
      disabled={disabled || readonly}
      value={chosen < 0 ? "" : String(chosen)}
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : choices[Number(event.target.value)]?.value)}
      {...aria(props)}
    >
      {(canBeEmpty || chosen < 0) && <option value="">{required ? t("nothingChosen") : t("none")}</option>}
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

export function RadioWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange, label } = props;
  return (
    <div id={id} tabIndex={-1} role="radiogroup" aria-label={label} className="flex flex-wrap gap-x-5 gap-y-1" {...aria(props)}>
      {(options.enumOptions ?? []).map((choice, index) => (
        <label key={index} className="flex min-h-11 items-center gap-2 sm:min-h-8">
          <input
            type="radio"
            name={id}
            className={CHECK}
            disabled={disabled || readonly}
            checked={same(choice.value, value)}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

export function CheckboxesWidget(props: WidgetProps) {
  const { id, value, options, disabled, readonly, onChange, label } = props;
  const choices = options.enumOptions ?? [];
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  // A group has no `aria-required`.
  const described = { ...aria(props), "aria-required": undefined };
  return (
    <div id={id} tabIndex={-1} role="group" aria-label={label} className="flex flex-wrap gap-x-5 gap-y-1" {...described}>
      {choices.map((choice, index) => (
        <label key={index} className="flex min-h-11 items-center gap-2 sm:min-h-8">
          <input
            type="checkbox"
            name={id}
            className={CHECK}
            disabled={disabled || readonly}
            checked={chosen.some((item) => same(item, choice.value))}
            onChange={(event) => {
              const place = String(index);
              onChange(event.target.checked ? enumOptionsSelectValue(place, chosen, choices) : enumOptionsDeselectValue(place, chosen, choices));
            }}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

/** Yes or no. Its label stands beside it. */
export function CheckboxWidget(props: WidgetProps) {
  const { id, value, label, disabled, readonly, required, onChange, schema } = props;
  const t = useT();
  const { "aria-describedby": describedBy, "aria-invalid": isInvalid } = aria(props);
  return (
    <div className="flex flex-col gap-0.5">
      <label className="flex min-h-11 items-center gap-2 text-sm font-medium sm:min-h-8">
        <input
          id={id}
          name={id}
          type="checkbox"
          className={CHECK}
          disabled={disabled || readonly}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
        />
        {label}
        {required && <span className="text-xs font-normal text-muted-foreground">{t("required")}</span>}
      </label>
      {schema.description && (
        <p id={`${id}__description`} className="text-sm text-muted-foreground">
          {schema.description}
        </p>
      )}
    </div>
  );
}
