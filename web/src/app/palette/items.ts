import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { BookOpen, Bot, Keyboard, Languages, LogOut, Moon, Sun, Wrench, type LucideIcon } from "lucide-react";

import { api, data } from "@/api/client";
import { everyAgentQuery, living } from "@/api/every";
import { keys } from "@/api/queries";

import { language, useLanguage } from "../i18n";
import { useT } from "../messages";
import { explain } from "../notify";
import { useMe, useSignOut } from "../session";
import type { OpenDialog } from "../shell/Shell";
import { effective, theme, useTheme } from "../theme";
import { useNavigation } from "../useNavigation";

export interface PaletteItem {
  id: string;
  label: string;
  detail?: string;
  icon: LucideIcon;
  run(): void;
}

const MOST = 8;

/** Words, or their beginnings, that all stand in the text: the same rule as the server's search. */
export function fits(text: string, asked: string): boolean {
  const wordsOf = (spoken: string) => spoken.toLowerCase().split(/[\s_-]+/);
  const words = wordsOf(text);
  return wordsOf(asked).every((part) => words.some((word) => word.startsWith(part)));
}

export function usePaletteItems(asked: string, onOpen: (dialog: OpenDialog) => void) {
  const t = useT();
  const me = useMe();
  const router = useRouter();
  const go = (path: string) => router.history.push(path);
  const tools = useQuery({
    queryKey: [...keys.tools, "palette", asked],
    queryFn: ({ signal }) => data(api.GET("/api/tools", { params: { query: { search: asked, limit: MOST } }, signal })),
    enabled: asked !== "" && me.may("tools.tenant.read"),
    placeholderData: keepPreviousData,
  });
  // The API has no search of agents: they are looked through here.
  const agents = useQuery({ ...everyAgentQuery, select: living, enabled: asked !== "" && me.may("agents.tenant.read") });
  const pages = useNavigation().map(({ to, label, icon }): PaletteItem => ({ id: to, label: t(label), icon, run: () => go(to) }));
  const actions = useActions(onOpen);
  const chosen = (items: PaletteItem[]) => (asked === "" ? items : items.filter(({ label }) => fits(label, asked)));
  // Until the answer is here, what was found before stays where it fits: whoever types fast and presses Enter means nothing else.
  const listed = (tools.data?.items ?? []).filter(({ name, description }) => !tools.isPlaceholderData || fits(`${name} ${description}`, asked));
  const found = (asked === "" ? [] : listed).map(
    ({ name, description }): PaletteItem => ({ id: `tool ${name}`, label: name, detail: description, icon: Wrench, run: () => go(`/tools/${encodeURIComponent(name)}`) }),
  );
  const foundAgents = (asked === "" ? [] : (agents.data ?? []))
    .filter(({ handle, display_name }) => fits(`${handle} ${display_name}`, asked))
    .slice(0, MOST)
    .map(({ id, handle, display_name }): PaletteItem => ({ id: `agent ${id}`, label: display_name, detail: `@${handle}`, icon: Bot, run: () => go(`/agents/${id}`) }));
  const failed = tools.error ?? agents.error;
  const groups = [
    { label: t("palette.pages"), items: chosen(pages) },
    { label: t("palette.tools"), items: found },
    { label: t("palette.agents"), items: foundAgents },
    { label: t("palette.actions"), items: chosen(actions) },
  ].filter(({ items }) => items.length > 0);
  return { groups, isSearching: tools.isFetching, failure: failed ? explain(failed).title : undefined };
}

function useActions(onOpen: (dialog: OpenDialog) => void): PaletteItem[] {
  const t = useT();
  const isDark = effective(useTheme()) === "dark";
  const signOut = useSignOut();
  const other = useLanguage() === "en" ? "es" : "en";
  return [
    { id: "theme", label: `${t("theme.label")}: ${t(isDark ? "theme.light" : "theme.dark")}`, icon: isDark ? Sun : Moon, run: () => theme.set(isDark ? "light" : "dark") },
    { id: "language", label: `${t("language.label")}: ${t(`language.${other}`)}`, icon: Languages, run: () => language.set(other) },
    { id: "shortcuts", label: t("shortcuts.title"), icon: Keyboard, run: () => onOpen("shortcuts") },
    { id: "docs", label: t("apiReference"), icon: BookOpen, run: () => window.location.assign("/docs") },
    { id: "sign-out", label: t("account.signOut"), icon: LogOut, run: () => signOut.mutate() },
  ];
}
