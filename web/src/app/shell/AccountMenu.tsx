import { Keyboard, LogOut, MonitorSmartphone } from "lucide-react";

import { Avatar } from "@/parts/people/Avatar";
import { Dropdown, DropdownContent, DropdownItem, DropdownLabel, DropdownRadioGroup, DropdownRadioItem, DropdownSeparator, DropdownTrigger } from "@/ui/dropdown";
import { Kbd } from "@/ui/kbd";

import { LANGUAGES, language, useLanguage, type Language } from "../i18n";
import { useT } from "../messages";
import { useMyName } from "../person";
import { useMe, useSignOut } from "../session";
import { theme, useTheme, type Theme } from "../theme";
import type { OpenDialog } from "./Shell";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

export function AccountMenu({ onOpen, compact = false }: { onOpen(dialog: OpenDialog): void; compact?: boolean }) {
  const t = useT();
  const me = useMe();
  const name = useMyName();
  const signOut = useSignOut();
  return (
    <Dropdown>
      <DropdownTrigger
        aria-label={t("account.label", { name })}
        className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-1.5 text-left hover:bg-accent max-md:h-11 max-md:w-11 max-md:justify-center"
      >
        <Avatar name={name} className="size-6 bg-secondary text-[11px] text-secondary-foreground" />
        {!compact && <span className="min-w-0 flex-1 truncate text-sm">{name}</span>}
      </DropdownTrigger>
      <DropdownContent align="end" className="w-60">
        <DropdownLabel>
          <span className="block truncate text-sm font-medium text-foreground">{name}</span>
          <span className="block truncate">{me.roles.join(", ")}</span>
        </DropdownLabel>
        <DropdownSeparator />
        <DropdownLabel>{t("theme.label")}</DropdownLabel>
        <DropdownRadioGroup value={useTheme()} onValueChange={(value) => theme.set(value as Theme)}>
          {THEMES.map((one) => (
            <DropdownRadioItem key={one} value={one}>
              {t(`theme.${one}`)}
            </DropdownRadioItem>
          ))}
        </DropdownRadioGroup>
        <DropdownSeparator />
        <DropdownLabel>{t("language.label")}</DropdownLabel>
        <DropdownRadioGroup value={useLanguage()} onValueChange={(value) => language.set(value as Language)}>
          {LANGUAGES.map((one) => (
            <DropdownRadioItem key={one} value={one} lang={one}>
              {t(`language.${one}`)}
            </DropdownRadioItem>
          ))}
        </DropdownRadioGroup>
        <DropdownSeparator />
        <DropdownItem onSelect={() => onOpen("shortcuts")}>
          <Keyboard aria-hidden />
          <span className="flex-1">{t("shortcuts.title")}</span>
          <Kbd aria-hidden>?</Kbd>
        </DropdownItem>
        <DropdownItem onSelect={() => onOpen("sessions")}>
          <MonitorSmartphone aria-hidden />
          {t("sessions.title")}
        </DropdownItem>
        <DropdownItem onSelect={() => signOut.mutate()}>
          <LogOut aria-hidden />
          {t("account.signOut")}
        </DropdownItem>
      </DropdownContent>
    </Dropdown>
  );
}
