import { Command } from "cmdk";
import { Dialog as Primitive, VisuallyHidden } from "radix-ui";
import { useState } from "react";

import { Dialog, DialogDescription, DialogTitle, Overlay } from "@/ui/dialog";

import { useT } from "../messages";
import type { OpenDialog } from "../shell/Shell";
import { usePaletteItems, type PaletteItem } from "./items";

/** Type to go anywhere: pages, tools, agents, and a few things to do. */
export default function Palette({ onOpenChange, onOpen }: { onOpenChange(open: boolean): void; onOpen(dialog: OpenDialog): void }) {
  const t = useT();
  const [text, setText] = useState("");
  const asked = text.trim();
  const { groups, isSearching, failure } = usePaletteItems(asked, onOpen);
  const [pointed, setPointed] = useState("");
  const ids = groups.flatMap(({ items }) => items.map(({ id }) => id));
  // What was found changes as one types: the first stays the one that Enter means, unless another was chosen.
  const selected = ids.includes(pointed) ? pointed : (ids[0] ?? "");
  const choose = (item: PaletteItem) => {
    onOpenChange(false);
    item.run();
  };
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Overlay />
        <Primitive.Content className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-1rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border bg-popover text-popover-foreground shadow-lg outline-none max-md:top-2">
          <VisuallyHidden.Root>
            <DialogTitle>{t("palette.open")}</DialogTitle>
            <DialogDescription>{t("palette.placeholder")}</DialogDescription>
          </VisuallyHidden.Root>
          <Command label={t("palette.open")} shouldFilter={false} loop value={selected} onValueChange={setPointed}>
            <Command.Input
              autoFocus
              value={text}
              onValueChange={(next) => {
                setText(next);
                setPointed("");
              }}
              placeholder={t("palette.placeholder")}
              className="h-12 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-muted-foreground max-md:text-[16px]"
            />
            <Command.List className="max-h-[min(60vh,28rem)] overflow-y-auto p-2">
              {!isSearching && <Command.Empty className="p-4 text-center text-sm text-muted-foreground">{t("palette.empty", { text: asked })}</Command.Empty>}
              {groups.map(({ label, items }) => (
                <Command.Group key={label} heading={label} className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted-foreground">
                  {items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={item.id}
                      onSelect={() => choose(item)}
                      className="flex h-9 items-center gap-2.5 rounded-md px-2 text-sm data-[selected=true]:bg-accent max-md:h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground"
                    >
                      <item.icon aria-hidden />
                      <span className="shrink-0">{item.label}</span>
                      <span className="min-w-0 flex-1 truncate text-muted-foreground">{item.detail}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            <div role="status" className="px-4 pb-2 text-xs empty:hidden text-muted-foreground">
              {isSearching && t("palette.searching")}
              {failure !== undefined && t("palette.failed", { detail: failure })}
            </div>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Dialog>
  );
}
