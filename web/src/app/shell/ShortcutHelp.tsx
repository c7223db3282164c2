import { Fragment, useId } from "react";

import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/ui/dialog";
import { Kbd } from "@/ui/kbd";
import { Label } from "@/ui/label";
import { Switch } from "@/ui/switch";

import { useT } from "../messages";
import { usePreference } from "../preference";
import { singleKeys, useShortcutList } from "../shortcuts";
import { modKey } from "./keys";

/** Every key that does something here and now: the shell's and those of the page. */
export default function ShortcutHelp({ onOpenChange }: { onOpenChange(open: boolean): void }) {
  const t = useT();
  const id = useId();
  const shortcuts = useShortcutList();
  const groups = [...new Set(shortcuts.map(({ group }) => group))];
  const isOn = usePreference(singleKeys) === "on";
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>{t("shortcuts.title")}</DialogTitle>
        <DialogDescription>{t("shortcuts.help")}</DialogDescription>
        <div className="flex items-center justify-between gap-4 rounded-lg border p-3">
          <Label htmlFor={id}>{t("shortcuts.single")}</Label>
          <Switch id={id} checked={isOn} onCheckedChange={(on) => singleKeys.set(on ? "on" : "off")} />
        </div>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className="pb-1 text-xs font-medium text-muted-foreground">{group}</h3>
            <dl className="grid grid-cols-[1fr_auto]">
              {shortcuts.filter((one) => one.group === group).map(({ keys, label }) => (
                <Fragment key={keys}>
                  <dt className="border-t py-1.5">{label}</dt>
                  <dd className="flex items-center justify-end gap-1 border-t py-1.5 pl-4 text-xs text-muted-foreground">
                    <Keys keys={keys} then={t("shortcuts.then")} />
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </DialogContent>
    </Dialog>
  );
}

function Keys({ keys, then }: { keys: string; then: string }) {
  return keys.split(" ").map((key, index) => (
    <Fragment key={index}>
      {index > 0 && <span>{then}</span>}
      <Kbd>{key.startsWith("mod+") ? `${modKey()}${key.slice(4).toUpperCase()}` : key}</Kbd>
    </Fragment>
  ));
}
