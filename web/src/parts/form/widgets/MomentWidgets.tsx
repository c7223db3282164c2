import type { WidgetProps } from "@rjsf/utils";

import { useT } from "../messages";
import { CONTROL } from "../styles";
import { aria } from "./aria";
import { fromClock, fromLocal, toClock, toLocal } from "./moments";

export function DateTimeWidget(props: WidgetProps) {
  const { id, value, disabled, readonly, onChange } = props;
  return (
    <input
      id={id}
      name={id}
      type="datetime-local"
      step={1}
      className={`${CONTROL} max-w-72`}
      disabled={disabled}
      readOnly={readonly}
      value={toLocal(value)}
      onChange={(event) => onChange(fromLocal(event.target.value))}
      {...aria(props)}
    />
  );
}

export function DateWidget(props: WidgetProps) {
  const { id, value, disabled, readonly, onChange } = props;
  return (
    <input
      id={id}
      name={id}
      type="date"
      className={`${CONTROL} max-w-48`}
      disabled={disabled}
      readOnly={readonly}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      {...aria(props)}
    />
  );
}

export function TimeWidget(props: WidgetProps) {
  const { id, value, disabled, readonly, onChange } = props;
  const t = useT();
  return (
    <div className="flex items-center gap-2">
      <input
        id={id}
        name={id}
        type="time"
        step={1}
        className={`${CONTROL} max-w-40`}
        disabled={disabled}
        readOnly={readonly}
        value={toClock(value)}
        onChange={(event) => onChange(fromClock(event.target.value))}
        {...aria(props)}
      />
      <span className="text-sm text-muted-foreground">{t("utc")}</span>
    </div>
  );
}

export function ColorWidget(props: WidgetProps) {
  const { id, value, disabled, readonly, onChange } = props;
  return (
    <input
      id={id}
      name={id}
      type="color"
      className="h-11 w-16 rounded-md border border-input bg-background p-1 sm:h-9"
      disabled={disabled || readonly}
      value={typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : "#000000"}
      onChange={(event) => onChange(event.target.value)}
      {...aria(props)}
    />
  );
}
