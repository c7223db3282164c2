import getDefaultRegistry from "@rjsf/core/lib/getDefaultRegistry.js";
import { findSchemaDefinition, type FieldProps, type RJSFSchema, type UiSchema } from "@rjsf/utils";
import { useMemo } from "react";

import { hintsOf } from "../hints";

const Core = getDefaultRegistry().fields.SchemaField;

/** The library's field, told by the schema's own metadata how it is to be shown; behind references and in branches too. */
export function SchemaField(props: FieldProps) {
  const { schema, uiSchema, registry } = props;
  const hints = useMemo(() => known(hintsOf(resolved(schema, registry.rootSchema)), registry.widgets), [schema, registry]);
  const merged = useMemo(() => ({ ...hints, ...uiSchema }), [hints, uiSchema]);
  return Core ? <Core {...props} uiSchema={merged} /> : null;
}

/** A word in `x-widget` that nobody registered is no reason to show no field at all. */
function known(hints: UiSchema, widgets: FieldProps["registry"]["widgets"]): UiSchema {
  const { "ui:widget": widget, ...rest } = hints;
  if (typeof widget !== "string") return hints;
  return widget in widgets || LIBRARY.has(widget) ? hints : rest;
}

/** Names that the library itself translates into widgets. */
const LIBRARY = new Set(["textarea", "password", "select", "radio", "checkbox", "checkboxes", "range", "file", "hidden", "color", "updown"]);

function resolved(schema: RJSFSchema, root: RJSFSchema): RJSFSchema {
  if (typeof schema.$ref !== "string") return schema;
  try {
    return { ...findSchemaDefinition(schema.$ref, root), ...schema };
  } catch {
    return schema;
  }
}
