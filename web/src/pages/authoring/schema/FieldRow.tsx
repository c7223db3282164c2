import { ArrowDown, ArrowUp, ChevronRight, Copy, Trash2 } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

import type { Complaint } from "../controls/types";
import { focusSoon } from "../doc/focus";
import { idAt, isAround, isObject, type Path } from "../doc/json";
import { useT } from "../messages";
import { FieldDetails } from "./FieldDetails";
import { shapeOf } from "./shape";
import { TypeIcon } from "./TypeIcon";

export interface FieldRowProps {
  name: string;
  schema: unknown;
  siblings: readonly string[];
  isRequired: boolean;
  isFirst: boolean;
  isLast: boolean;
  isNew: boolean;
  at: Path;
  complaint: Complaint | undefined;
  onChange(schema: unknown): void;
  onRename(name: string): void;
  onRequire(isRequired: boolean): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
  onCopy(): void;
}

/** One field: a line that tells what it is, and opens to change it. Alt with an arrow moves it. */
export function FieldRow(props: FieldRowProps) {
  const { name, schema, isRequired, isFirst, isLast, isNew, at, complaint, onMove, onRemove, onCopy } = props;
  const t = useT();
  const id = useId();
  const [isOpen, setIsOpen] = useState(isNew);
  const details = useRef<HTMLDivElement>(null);
  const isComplainedOf = complaint !== undefined && isAround(at, complaint.pointer);
  const shape = shapeOf(schema);
  useEffect(() => {
    if (isNew) details.current?.querySelector<HTMLInputElement>("input")?.select();
  }, [isNew]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined || (by < 0 ? isFirst : isLast)) return;
    event.preventDefault();
    onMove(by < 0 ? -1 : 1);
    focusSoon(idAt(at));
  };
  const title = isObject(schema) && typeof schema["title"] === "string" ? schema["title"] : undefined;
  const opened = isOpen || isComplainedOf;
  return (
    <div className={cn("min-w-0 rounded-lg border bg-card", isComplainedOf && "border-bad")}>
      <div className="flex min-w-0 items-center gap-1 p-1">
        <button
          type="button"
          id={idAt(at)}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setIsOpen(!opened)}
          onKeyDown={onKeyDown}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 text-left hover:bg-accent max-md:min-h-11"
        >
          <ChevronRight aria-hidden className={cn("size-4 shrink-0 text-muted-foreground transition-transform", opened && "rotate-90")} />
          <TypeIcon type={shape?.type} className="size-4 shrink-0 text-muted-foreground" />
          <span className="truncate font-mono text-sm">{name}</span>
          {title && <span className="truncate text-sm text-muted-foreground max-sm:hidden">{title}</span>}
          <span className="ml-auto flex shrink-0 items-center gap-1">
            {isRequired && <Badge tone="info">{t("field.required")}</Badge>}
            <Badge tone="outline">{shape ? t(`type.${shape.type}`) : t("type.raw")}</Badge>
          </span>
        </button>
        <Button variant="ghost" size="icon" className="max-sm:hidden" disabled={isFirst} aria-label={t("field.up", { name })} onClick={() => onMove(-1)}>
          <ArrowUp aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" className="max-sm:hidden" disabled={isLast} aria-label={t("field.down", { name })} onClick={() => onMove(1)}>
          <ArrowDown aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" className="max-sm:hidden" aria-label={t("field.copy", { name })} onClick={onCopy}>
          <Copy aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("remove", { name })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      <div id={id} ref={details} hidden={!opened} className="border-t p-3">
        {/* On a phone the line above has no room for these. */}
        <div className="flex flex-wrap gap-2 pb-3 sm:hidden">
          <Button variant="outline" size="icon" disabled={isFirst} aria-label={t("field.up", { name })} onClick={() => onMove(-1)}>
            <ArrowUp aria-hidden />
          </Button>
          <Button variant="outline" size="icon" disabled={isLast} aria-label={t("field.down", { name })} onClick={() => onMove(1)}>
            <ArrowDown aria-hidden />
          </Button>
          <Button variant="outline" size="icon" aria-label={t("field.copy", { name })} onClick={onCopy}>
            <Copy aria-hidden />
          </Button>
        </div>
        {opened && <FieldDetails {...props} />}
      </div>
    </div>
  );
}

