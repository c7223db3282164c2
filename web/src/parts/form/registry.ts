import type { RJSFSchema, Widget } from "@rjsf/utils";

import { isObject } from "../json/values";

/**
 * Widgets by name. A schema asks for one with `x-widget`, with the `display` of its `x-field`, or with `x-entity-type`; a product
 * adds its own pickers with `registerWidget` before the form is shown.
 */
const added: Record<string, Widget> = {};

export function registerWidget(name: string, widget: Widget): void {
  added[name] = widget;
}

export function addedWidgets(): Record<string, Widget> {
  return added;
}

/** Displays of fields whose widget has another name, or that the schema's own type already shows. */
const DISPLAYS: Record<string, string | undefined> = {
  input: undefined,
  textarea: "textarea",
  markdown: "markdown",
  code: "code",
  password: "password",
  slider: "range",
  currency: undefined,
  percent: undefined,
  rating: "rating",
  switch: "switch",
  checkbox: "checkbox",
  select: "select",
  radio: "radio",
  multi_select: "checkboxes",
  tags: "checkboxes",
  file: "file",
  image: "file",
  video: "file",
  audio: "file",
  json: "json",
};

/** What an entity type's picker is called. */
function pickerOf(entityType: string): string {
  return `${entityType}-picker`;
}

/** The widget that a schema asks for by its metadata. */
export function widgetNameFor(schema: RJSFSchema): string | undefined {
  const asked = schema["x-widget"];
  if (typeof asked === "string" && asked !== "") return asked;
  const entity = schema["x-entity-type"];
  if (typeof entity === "string" && pickerOf(entity) in added) return pickerOf(entity);
  const field = schema["x-field"];
  const display: unknown = isObject(field) ? field["display"] : undefined;
  if (typeof display === "string") return DISPLAYS[display];
  if (isObject(field) && field["type"] === "media") return "file";
  return byFormat(schema);
}

function byFormat({ format, contentMediaType, contentEncoding }: RJSFSchema): string | undefined {
  if (format === "data-url" || format === "binary" || format === "byte") return "file";
  if (contentEncoding === "base64") return "file";
  if (contentMediaType === "text/markdown" || format === "markdown") return "markdown";
  if (contentMediaType?.startsWith("text/x-") || contentMediaType === "application/json" || format === "code") return "code";
  return undefined;
}
