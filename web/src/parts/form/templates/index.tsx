import type { DescriptionFieldProps, FieldErrorProps, MultiSchemaFieldTemplateProps, TemplatesType } from "@rjsf/utils";

import { BaseInput } from "../widgets/BaseInput";
import { ArrayFieldItemTemplate, ArrayFieldTemplate } from "./ArrayFieldTemplate";
import { FieldTemplate } from "./FieldTemplate";
import { ObjectFieldTemplate } from "./ObjectFieldTemplate";

function FieldError({ errors = [] }: FieldErrorProps) {
  if (errors.length === 0) return null;
  return (
    <ul className="flex flex-col gap-0.5 text-sm text-bad">
      {errors.map((error, index) => (
        // Two keywords can say the same of one value.
        <li key={index} className="break-words">
          {error}
        </li>
      ))}
    </ul>
  );
}

function Description({ id, description }: DescriptionFieldProps) {
  if (!description) return null;
  return (
    <p id={id} className="text-sm text-muted-foreground">
      {description}
    </p>
  );
}

function MultiSchema({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4 border-l-2 border-border pl-4">
      {selector}
      {optionSchemaField}
    </div>
  );
}

export const templates: Partial<TemplatesType> = {
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  BaseInputTemplate: BaseInput,
  DescriptionFieldTemplate: Description,
  FieldErrorTemplate: FieldError,
  FieldTemplate,
  MultiSchemaFieldTemplate: MultiSchema,
  ObjectFieldTemplate,
};
