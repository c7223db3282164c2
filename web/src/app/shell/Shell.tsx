import { useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";

import { live } from "@/api/live";

import { useT } from "../messages";
import { Overlays } from "../overlays";
import { useMe } from "../session";
import { useShortcut } from "../shortcuts";
import { Announcer } from "./Announcer";
import { GoToKeys } from "./GoToKeys";
import { LiveBanner } from "./LiveBanner";
import { PhoneBar } from "./PhoneBar";
import { Sidebar } from "./Sidebar";
import { TopBar } from "./TopBar";

const Palette = lazy(() => import("../palette/Palette"));
const Sessions = lazy(() => import("./Sessions"));
const ShortcutHelp = lazy(() => import("./ShortcutHelp"));

export type OpenDialog = "palette" | "sessions" | "shortcuts" | undefined;

/** The frame around every page: where one is, where one can go, and what waits. */
export function Shell() {
  const t = useT();
  const me = useMe();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<OpenDialog>();
  const group = t("shortcuts.general");
  useShortcut({ keys: "mod+k", label: t("palette.open"), group, run: () => setOpen("palette") });
  useShortcut({ keys: "?", label: t("shortcuts.title"), group, run: () => setOpen("shortcuts") });
  useShortcut({ keys: "/", label: t("shortcuts.search"), group, run: () => document.querySelector<HTMLElement>("#main [data-search]")?.focus() });
  const canFollow = me.may("invocations.tenant.read");
  useEffect(() => (canFollow ? live.start(queryClient) : undefined), [queryClient, canFollow, me.principal]);
  const close = (isOpen: boolean) => !isOpen && setOpen(undefined);
  return (
    <div className="flex h-dvh overflow-hidden">
      <a href="#main" className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-primary px-3 py-2 text-primary-foreground focus:translate-y-0">
        {t("skip")}
      </a>
      <Sidebar onOpen={setOpen} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onOpen={setOpen} />
        {canFollow && <LiveBanner />}
        <main id="main" tabIndex={-1} data-scroll="" data-scroll-restoration-id="main" className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none">
          <Outlet />
        </main>
        <PhoneBar />
      </div>
      <GoToKeys />
      <Announcer />
      <Overlays />
      <Suspense>
        {open === "palette" && <Palette onOpenChange={close} onOpen={setOpen} />}
        {open === "sessions" && <Sessions onOpenChange={close} />}
        {open === "shortcuts" && <ShortcutHelp onOpenChange={close} />}
      </Suspense>
    </div>
  );
}
