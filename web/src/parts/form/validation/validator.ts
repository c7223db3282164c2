import { ErrorSchemaBuilder, type ErrorSchema, type RJSFSchema, type RJSFValidationError, type ValidatorType } from "@rjsf/utils";

import { compileWithin, fits } from "./compile";
import { complaints, type Complaint } from "./complain";
import { fieldOf } from "./place";
import { withoutHoles } from "../input";

/** The schema-form library's view of our validator. It evaluates no code: the Content-Security-Policy forbids it. */
export const validator: ValidatorType<unknown> = {
  isValid(schema: RJSFSchema, formData: unknown, rootSchema: RJSFSchema) {
    return fits(compileWithin(schema, rootSchema), compileWithin(schema, rootSchema).root, withoutHoles(formData) ?? null);
  },
  validateFormData(formData: unknown, schema: RJSFSchema) {
    const found = complaints(schema, withoutHoles(formData) ?? null);
    return { errors: found.map(asError), errorSchema: errorSchemaOf(found) };
  },
  rawValidation<Result>(schema: RJSFSchema, formData?: unknown) {
    return { errors: complaints(schema, withoutHoles(formData) ?? null) as Result[] };
  },
};

function asError({ path, message }: Complaint): RJSFValidationError {
  return { message, property: path, stack: message };
}

/** The complaints as the form keeps them: beside the fields that they are about. */
export function errorSchemaOf(found: Complaint[]): ErrorSchema<unknown> {
  const builder = new ErrorSchemaBuilder();
  for (const complaint of found) builder.addErrors(complaint.message, fieldOf(complaint));
  return builder.ErrorSchema;
}
