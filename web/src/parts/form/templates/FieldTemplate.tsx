import { ADDITIONAL_PROPERTY_FLAG, descriptionId, errorId, type FieldTemplateProps } from "@rjsf/utils";
import { X } from "lucide-react";

import { useT } from "../messages";
import { CONTROL, SMALL_BUTTON } from "../styles";

/** Label, help, control, complaint: in this order, so that a screen reader hears what is wanted before it is asked for. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, children, errors, rawDescription, hidden, required, displayLabel, schema, uiSchema } = props;
  const t = useT();
  if (hidden) return <div className="hidden">{children}</div>;
  const labelsItself = uiSchema?.["ui:widget"] === "switch" || uiSchema?.["ui:widget"] === "checkbox";
  const field = (
    <div className="flex min-w-0 flex-col gap-1.5" data-field={id}>
      {displayLabel && !labelsItself && label && (
        <label htmlFor={id} className="text-sm font-medium text-foreground">
          {label}{" "}
          {required && <span className="ml-0.5 text-xs font-normal text-muted-foreground">{t("required")}</span>}
        </label>
      )}
      {displayLabel && !labelsItself && rawDescription && (
        <p id={descriptionId(id)} className="text-sm text-muted-foreground">
          {rawDescription}
        </p>
      )}
      {children}
      <Example schema={schema} />
      {errors && <div id={errorId(id)}>{errors}</div>}
    </div>
  );
  return ADDITIONAL_PROPERTY_FLAG in schema ? <Entry {...props}>{field}</Entry> : field;
}

function Example({ schema }: Pick<FieldTemplateProps, "schema">) {
  const t = useT();
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  if (example === undefined || typeof example === "object") return null;
  return <p className="text-xs text-muted-foreground">{t("example", { value: String(example) })}</p>;
}

/** An entry of a map: its key can be changed, and it can be taken out. */
function Entry({ id, label, disabled, readonly, onKeyRenameBlur, onRemoveProperty, children }: FieldTemplateProps) {
  const t = useT();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto] items-end gap-2">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-key`} className="text-sm font-medium">
          {t("key")}
        </label>
        <input
          key={label}
          id={`${id}-key`}
          className={CONTROL}
          defaultValue={label}
          disabled={disabled || readonly}
          onBlur={onKeyRenameBlur}
        />
      </div>
      {children}
      <button
        type="button"
        className={SMALL_BUTTON}
        disabled={disabled || readonly}
        onClick={onRemoveProperty}
        aria-label={t("removeItem", { label })}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
