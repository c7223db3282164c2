import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "@/ui/button";

import { useT } from "../messages";

interface Props {
  title: string;
  isFirst: boolean;
  isLast: boolean;
  onMove(by: -1 | 1): void;
  onRemove(): void;
  children: ReactNode;
}

/** One of several alike that have an order: an output section, a step. */
export function ListItem({ title, isFirst, isLast, onMove, onRemove, children }: Props) {
  const t = useT();
  return (
    <li className="min-w-0 rounded-lg border">
      <div className="flex min-w-0 items-center gap-1 border-b py-1 pr-1 pl-3">
        <span className="mr-auto truncate text-sm font-medium">{title}</span>
        <Button variant="ghost" size="icon" disabled={isFirst} aria-label={t("field.up", { name: title })} onClick={() => onMove(-1)}>
          <ArrowUp aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" disabled={isLast} aria-label={t("field.down", { name: title })} onClick={() => onMove(1)}>
          <ArrowDown aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("remove", { name: title })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      <div className="min-w-0 p-3">{children}</div>
    </li>
  );
}
