import { oneOf, preference, usePreference } from "./preference";

export type Theme = "system" | "light" | "dark";

export const theme = preference<Theme>("theme", oneOf("system", "light", "dark"), () => "system");

export function useTheme(): Theme {
  return usePreference(theme);
}

const wantsDark = () => window.matchMedia("(prefers-color-scheme: dark)");

export function effective(chosen: Theme): "light" | "dark" {
  if (chosen !== "system") return chosen;
  return wantsDark().matches ? "dark" : "light";
}

/** Keeps `data-theme` on the page in step with the choice and, where none was made, with the system. */
export function followTheme(): void {
  const apply = () => document.documentElement.setAttribute("data-theme", effective(theme.get()));
  apply();
  theme.subscribe(apply);
  wantsDark().addEventListener("change", apply);
}
