import { buttonId, type ArrayFieldItemTemplateProps, type ArrayFieldTemplateProps } from "@rjsf/utils";
import { ArrowDown, ArrowUp, Copy, Plus, X } from "lucide-react";
import type { ReactNode } from "react";

import { useT } from "../messages";
import { SMALL_BUTTON } from "../styles";
import { Group } from "./Group";

/** A list: items are added, moved and taken out with buttons, so a keyboard can do all of it. */
export function ArrayFieldTemplate(props: ArrayFieldTemplateProps) {
  const { fieldPathId, items, title, schema, canAdd, onAddClick, disabled, readonly, required } = props;
  const t = useT();
  return (
    <Group id={fieldPathId.$id} title={title} description={schema.description} required={required}>
      {items.length === 0 && <p className="text-sm text-muted-foreground">{t("emptyList")}</p>}
      <ol className="flex min-w-0 flex-col gap-3">{items}</ol>
      {canAdd && (
        <button
          type="button"
          id={buttonId(fieldPathId, "add")}
          className={`${SMALL_BUTTON} mt-3`}
          onClick={onAddClick}
          disabled={disabled || readonly}
        >
          <Plus aria-hidden className="size-4" />
          {t("addItem", { label: title })}
        </button>
      )}
    </Group>
  );
}

export function ArrayFieldItemTemplate({ children, buttonsProps, hasToolbar, index }: ArrayFieldItemTemplateProps) {
  const t = useT();
  const { disabled, readonly, fieldPathId } = buttonsProps;
  const isOff = disabled || readonly;
  const number = index + 1;
  return (
    <li className="flex min-w-0 flex-col gap-2 sm:flex-row sm:items-start">
      <div className="min-w-0 flex-1">{children}</div>
      {hasToolbar && (
        <div role="group" aria-label={t("item", { label: "", number }).trim()} className="flex shrink-0 gap-1">
          {(buttonsProps.hasMoveUp || buttonsProps.hasMoveDown) && (
            <>
              <Tool id={buttonId(fieldPathId, "moveUp")} label={t("moveUp")} off={isOff || !buttonsProps.hasMoveUp} act={buttonsProps.onMoveUpItem}>
                <ArrowUp aria-hidden className="size-4" />
              </Tool>
              <Tool id={buttonId(fieldPathId, "moveDown")} label={t("moveDown")} off={isOff || !buttonsProps.hasMoveDown} act={buttonsProps.onMoveDownItem}>
                <ArrowDown aria-hidden className="size-4" />
              </Tool>
            </>
          )}
          {buttonsProps.hasCopy && (
            <Tool id={buttonId(fieldPathId, "copy")} label={t("copyItem")} off={isOff} act={buttonsProps.onCopyItem}>
              <Copy aria-hidden className="size-4" />
            </Tool>
          )}
          {buttonsProps.hasRemove && (
            <Tool id={buttonId(fieldPathId, "remove")} label={t("removeItem", { label: String(number) })} off={isOff} act={buttonsProps.onRemoveItem}>
              <X aria-hidden className="size-4" />
            </Tool>
          )}
        </div>
      )}
    </li>
  );
}

function Tool({ id, label, off, act, children }: { id: string; label: string; off?: boolean; act: () => void; children: ReactNode }) {
  return (
    <button type="button" id={id} className={SMALL_BUTTON} aria-label={label} title={label} disabled={off} onClick={act}>
      {children}
    </button>
  );
}
