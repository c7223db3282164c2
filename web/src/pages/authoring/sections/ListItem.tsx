import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "@/ui/button";

import { focusSoon } from "../doc/focus";
import { useT } from "../messages";

interface Props {
  title: string;
  /** Of the list that it stands in. Its button to add another one is `${listId}-add`. */
  listId: string;
  index: number;
  count: number;
  onMove(by: -1 | 1): void;
  onRemove(): void;
  children: ReactNode;
}

/** One of several alike that have an order: an output section, a step. The focus goes along with what moves. */
export function ListItem({ title, listId, index, count, onMove, onRemove, children }: Props) {
  const t = useT();
  const isFirst = index === 0;
  const isLast = index === count - 1;
  const id = (place: number, button: "up" | "down" | "remove") => `${listId}-${place}-${button}`;
  const move = (by: -1 | 1) => {
    const place = index + by;
    onMove(by);
    focusSoon(id(place, by < 0 ? (place === 0 ? "down" : "up") : place === count - 1 ? "up" : "down"));
  };
  const remove = () => {
    onRemove();
    focusSoon(count === 1 ? `${listId}-add` : id(Math.min(index, count - 2), "remove"));
  };
  return (
    <li className="min-w-0 rounded-lg border">
      <div className="flex min-w-0 items-center gap-1 border-b py-1 pr-1 pl-3">
        <span className="mr-auto truncate text-sm font-medium">{title}</span>
        <Button id={id(index, "up")} variant="ghost" size="icon" disabled={isFirst} aria-label={t("field.up", { name: title })} onClick={() => move(-1)}>
          <ArrowUp aria-hidden />
        </Button>
        <Button id={id(index, "down")} variant="ghost" size="icon" disabled={isLast} aria-label={t("field.down", { name: title })} onClick={() => move(1)}>
          <ArrowDown aria-hidden />
        </Button>
        <Button id={id(index, "remove")} variant="ghost" size="icon" aria-label={t("remove", { name: title })} onClick={remove}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      <div className="min-w-0 p-3">{children}</div>
    </li>
  );
}
