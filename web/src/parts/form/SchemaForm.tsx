// Not through the package's front door: that leads to a validator that compiles code.
import Form from "@rjsf/core/lib/components/Form.js";
import type { RJSFSchema } from "@rjsf/utils";
import { useCallback, useMemo, useState, type ReactNode } from "react";

import { ErrorSummary } from "./ErrorSummary";
import { JsonField } from "./fields/JsonField";
import { SchemaField } from "./fields/SchemaField";
import { inputOf } from "./input";
import { addedWidgets } from "./registry";
import { templates } from "./templates";
import { useTranslateString } from "./translate";
import { complaints, type Complaint } from "./validation/complain";
import { errorSchemaOf, validator } from "./validation/validator";
import { widgets } from "./widgets";

export interface SchemaFormProps {
  schema: unknown;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Only with an input that fits. */
  onSubmit: (input: unknown) => void;
  /** What the server said against the input that was sent. */
  refused?: Complaint[];
  disabled?: boolean;
  /** Of the ids of the fields: two forms on one page need two. */
  prefix?: string;
  /** The buttons. */
  children: ReactNode;
}

const fields = { SchemaField, JsonField };
const defaults = {
  emptyObjectFields: "skipEmptyDefaults",
  arrayMinItems: { populate: "requiredOnly" },
  constAsDefaults: "always",
} as const;

/** A form for any JSON Schema. It complains only after somebody tried to send it, and from then on as they type. */
export function SchemaForm({ schema, value, onChange, onSubmit, refused, disabled, prefix = "root", children }: SchemaFormProps) {
  const translateString = useTranslateString();
  const [attempt, setAttempt] = useState(0);
  const [lastRefused, setLastRefused] = useState(refused);
  const [isRefusalShown, setIsRefusalShown] = useState(false);
  if (refused !== lastRefused) {
    setLastRefused(refused);
    setIsRefusalShown((refused?.length ?? 0) > 0);
    if (refused && refused.length > 0) setAttempt(attempt + 1);
  }
  const own = useMemo(() => (attempt === 0 ? [] : complaints(schema, inputOf(value, schema))), [attempt, schema, value]);
  const found = useMemo(() => (own.length > 0 || !isRefusalShown ? own : (refused ?? [])), [own, isRefusalShown, refused]);
  const extraErrors = useMemo(() => errorSchemaOf(found), [found]);
  const all = useMemo(() => ({ ...widgets, ...addedWidgets() }), []);

  const submit = useCallback(() => {
    const input = inputOf(value, schema);
    if (complaints(schema, input).length > 0) {
      setAttempt((count) => count + 1);
      return;
    }
    setAttempt(0);
    setIsRefusalShown(false);
    onSubmit(input);
  }, [onSubmit, schema, value]);

  return (
    <div className="flex min-w-0 flex-col gap-5">
      <ErrorSummary found={found} prefix={prefix} attempt={attempt} />
      <Form
        schema={formSchema(schema)}
        validator={validator}
        formData={value}
        idPrefix={prefix}
        fields={fields}
        templates={templates}
        widgets={all}
        disabled={disabled}
        noValidate
        noHtml5Validate
        showErrorList={false}
        extraErrors={extraErrors}
        translateString={translateString}
        experimental_defaultFormStateBehavior={defaults}
        onChange={({ formData }) => {
          setIsRefusalShown(false);
          onChange(formData);
        }}
        onSubmit={submit}
        className="flex min-w-0 flex-col gap-5"
      >
        {children}
      </Form>
    </div>
  );
}

const shown = new WeakMap<object, RJSFSchema>();

/** The page shows the tool's title and description; the form need not repeat them. */
function formSchema(schema: unknown): RJSFSchema {
  if (typeof schema !== "object" || schema === null) return { type: "object" };
  const earlier = shown.get(schema);
  if (earlier) return earlier;
  const bare: RJSFSchema = { ...schema, title: undefined, description: undefined };
  shown.set(schema, bare);
  return bare;
}
