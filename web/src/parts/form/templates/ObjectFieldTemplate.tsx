import { canExpand, type ObjectFieldTemplateProps } from "@rjsf/utils";
import { Plus } from "lucide-react";

import { isObject } from "../../json/values";
import { isVisible } from "../input";
import { useT } from "../messages";
import { SMALL_BUTTON } from "../styles";
import { Group } from "./Group";

/** A group of fields. The outermost has neither a frame nor a title: the page has both. */
export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { fieldPathId, properties, schema, uiSchema, formData, title, description, onAddProperty, disabled, readonly, required } = props;
  const t = useT();
  const isRoot = fieldPathId.path.length === 0;
  const siblings = isObject(formData) ? formData : {};
  const shown = properties.filter(({ name, hidden }) => {
    const inner = schema.properties?.[name];
    return !hidden && (!isObject(inner) || isVisible(inner, siblings));
  });
  const fields = (
    <>
      {shown.map((property) => (
        <div key={property.name} className="contents">
          {property.content}
        </div>
      ))}
      {canExpand(schema, uiSchema, formData) && (
        <button type="button" className={`${SMALL_BUTTON} self-start`} onClick={onAddProperty} disabled={disabled || readonly}>
          <Plus aria-hidden className="size-4" />
          {t("addProperty")}
        </button>
      )}
    </>
  );
  if (isRoot) return <div className="flex min-w-0 flex-col gap-5">{fields}</div>;
  if ((schema.oneOf ?? schema.anyOf) && properties.length === 0) return null;
  return (
    <Group id={fieldPathId.$id} title={title} description={description} required={required}>
      <div className="flex min-w-0 flex-col gap-4">{fields}</div>
    </Group>
  );
}
