import { Search } from "lucide-react";

import { Button } from "@/ui/button";
import { Kbd } from "@/ui/kbd";

import { useT } from "../messages";
import { AccountMenu } from "./AccountMenu";
import { modKey } from "./keys";
import { NavigationList } from "./NavigationList";
import type { OpenDialog } from "./Shell";
import { TenantMenu } from "./TenantMenu";

/** On a desktop; a phone has `PhoneBar`. */
export function Sidebar({ onOpen }: { onOpen(dialog: OpenDialog): void }) {
  const t = useT();
  return (
    <aside className="flex w-56 shrink-0 flex-col border-r bg-sidebar max-md:hidden">
      <div className="p-2">
        <TenantMenu />
      </div>
      <div className="px-2 pb-2">
        <Button variant="outline" aria-label={t("palette.open")} className="w-full justify-start font-normal text-muted-foreground" onClick={() => onOpen("palette")}>
          <Search aria-hidden />
          <span className="flex-1 truncate text-left">{t("palette.short")}</span>
          <Kbd aria-hidden>{modKey()}K</Kbd>
        </Button>
      </div>
      <nav aria-label={t("nav.label")} className="min-h-0 flex-1 overflow-y-auto px-2 pt-2 pb-4">
        <NavigationList />
      </nav>
      <div className="border-t p-2">
        <AccountMenu onOpen={onOpen} />
      </div>
    </aside>
  );
}
