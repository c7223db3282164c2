import { descriptionId, errorId, type WidgetProps } from "@rjsf/utils";

/** What ties a control to its help and to what is said against it. */
export function aria({ id, rawErrors, schema, required }: Pick<WidgetProps, "id" | "rawErrors" | "schema" | "required">) {
  const isInvalid = (rawErrors?.length ?? 0) > 0;
  const said = [schema.description ? descriptionId(id) : "", isInvalid ? errorId(id) : ""].filter(Boolean).join(" ");
  return {
    "aria-describedby": said === "" ? undefined : said,
    "aria-invalid": isInvalid || undefined,
    "aria-required": required || undefined,
  };
}
