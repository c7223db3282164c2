import { Menu } from "lucide-react";
import { useState } from "react";

import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/ui/sheet";

import { useT } from "../messages";
import { PathLink } from "../PathLink";
import { useNavigation } from "../useNavigation";
import { NavigationList, PendingBadge } from "./NavigationList";

const tab =
  "relative flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 px-1 text-[11px] text-muted-foreground focus-visible:-outline-offset-2 data-[status=active]:font-medium data-[status=active]:text-link";

/** The bar at a phone's lower edge: the most used pages, and the way to all others. */
export function PhoneBar() {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const entries = useNavigation().filter((entry) => entry.phone);
  return (
    <nav aria-label={t("nav.label")} className="flex border-t bg-sidebar pb-[env(safe-area-inset-bottom)] md:hidden">
      {entries.map(({ to, label, icon: Icon, badge }) => (
        <PathLink key={to} path={to} className={tab}>
          <Icon aria-hidden className="size-5" />
          {t(label)}
          {badge === "approvals" && <PendingBadge className="absolute top-1 left-1/2 ml-1" />}
        </PathLink>
      ))}
      <Sheet open={isOpen} onOpenChange={setIsOpen}>
        <SheetTrigger className={tab}>
          <Menu aria-hidden className="size-5" />
          {t("nav.more")}
        </SheetTrigger>
        <SheetContent side="bottom" className="p-4" aria-describedby={undefined}>
          <SheetTitle className="pb-2">{t("nav.more")}</SheetTitle>
          <NavigationList onNavigate={() => setIsOpen(false)} />
        </SheetContent>
      </Sheet>
    </nav>
  );
}
