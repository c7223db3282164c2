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
      // What chooses between several schemas has no label in the form.
      aria-label={/__(one|any)of_select$/.test(id) ? t("variant") : undefined}
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

interface OptionsProps {
  widget: WidgetProps;
  type: "radio" | "checkbox";
  isChosen(value: unknown): boolean;
  onChoose(index: number, isOn: boolean): void;
}

/** All choices in sight: one of them, or any number. */
function Options({ widget, type, isChosen, onChoose }: OptionsProps) {
  const { id, options, disabled, readonly, label } = widget;
  // A group of boxes has no `aria-required`.
  const described = type === "radio" ? aria(widget) : { ...aria(widget), "aria-required": undefined };
  return (
    <div id={id} tabIndex={-1} role={type === "radio" ? "radiogroup" : "group"} aria-label={label} className="flex flex-wrap gap-x-5 gap-y-1" {...described}>
      {(options.enumOptions ?? []).map((choice, index) => (
        <label key={index} className="flex min-h-11 items-center gap-2 sm:min-h-8">
          <input
            type={type}
            name={id}
            className={CHECK}
            disabled={disabled || readonly}
            checked={isChosen(choice.value)}
            onChange={(event) => onChoose(index, event.target.checked)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

export function RadioWidget(props: WidgetProps) {
  const { value, options, onChange } = props;
  return <Options widget={props} type="radio" isChosen={(choice) => same(choice, value)} onChoose={(index) => onChange(options.enumOptions?.[index]?.value)} />;
}

export function CheckboxesWidget(props: WidgetProps) {
  const { value, options, onChange } = props;
  const choices = options.enumOptions ?? [];
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const choose = (index: number, isOn: boolean) =>
    onChange(isOn ? enumOptionsSelectValue(String(index), chosen, choices) : enumOptionsDeselectValue(String(index), chosen, choices));
  return <Options widget={props} type="checkbox" isChosen={(choice) => chosen.some((item) => same(item, choice))} onChoose={choose} />;
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
