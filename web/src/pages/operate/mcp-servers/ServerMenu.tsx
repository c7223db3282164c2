import { EllipsisVertical, Power, PowerOff, Trash2 } from "lucide-react";
import { useState } from "react";

import { notify } from "@/app/notify";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/ui/dropdown";

import { useChangeServer, useRemoveServer } from "./actions";
import { useT } from "./messages";
import type { McpServer } from "./queries";

export function ServerMenu({ server, mayChange }: { server: McpServer; mayChange: boolean }) {
  const t = useT();
  const [isAsking, setIsAsking] = useState(false);
  const change = useChangeServer(server.name);
  const remove = useRemoveServer(server.name);
  const { name } = server;
  const isOn = server.enabled !== false;
  const turn = (enabled: boolean) =>
    change.mutate(
      { enabled },
      { onSuccess: () => notify.done(t(enabled ? "switchedOn" : "switchedOff", { name }), { undo: () => change.mutate({ enabled: !enabled }) }) },
    );
  const removeIt = () =>
    remove.mutate(undefined, { onSettled: () => setIsAsking(false) });
  return (
    <>
      <Dropdown>
        <DropdownTrigger asChild>
          <Button variant="outline" size="icon" aria-label={t("more")}>
            <EllipsisVertical aria-hidden />
          </Button>
        </DropdownTrigger>
        <DropdownContent align="end">
          {mayChange && (
            <DropdownItem onSelect={() => turn(!isOn)}>
              {isOn ? <PowerOff aria-hidden /> : <Power aria-hidden />}
              {isOn ? t("switchOff") : t("switchOn")}
            </DropdownItem>
          )}
          <DropdownItem destructive onSelect={() => setIsAsking(true)}>
            <Trash2 aria-hidden />
            {t("remove")}
          </DropdownItem>
        </DropdownContent>
      </Dropdown>
      <Confirm open={isAsking} onOpenChange={setIsAsking} title={t("remove.title", { name })} action={t("remove")} busy={remove.isPending} onConfirm={removeIt}>
        {t("remove.text", { count: Object.keys(server.imports ?? {}).length })}
      </Confirm>
    </>
  );
}
