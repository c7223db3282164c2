import { Search } from "lucide-react";

import { Button } from "@/ui/button";

import { useT } from "../messages";
import { AccountMenu } from "./AccountMenu";
import type { OpenDialog } from "./Shell";
import { TenantMenu } from "./TenantMenu";

/** On a phone, where there is no sidebar. On a desktop the page's own header is the top. */
export function TopBar({ onOpen }: { onOpen(dialog: OpenDialog): void }) {
  const t = useT();
  return (
    <header className="flex items-center gap-1 border-b bg-sidebar px-2 py-1 md:hidden">
      <div className="min-w-0 flex-1">
        <TenantMenu />
      </div>
      <Button variant="ghost" size="icon" aria-label={t("palette.open")} onClick={() => onOpen("palette")}>
        <Search aria-hidden />
      </Button>
      <AccountMenu onOpen={onOpen} compact />
    </header>
  );
}
