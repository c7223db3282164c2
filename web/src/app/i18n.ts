// Messages in two languages. Each area has a file per language; the English one is the type of the other.
import { useMemo } from "react";

import { oneOf, preference, usePreference } from "./preference";

export type Language = "en" | "es";
export const LANGUAGES: readonly Language[] = ["en", "es"];

export const language = preference<Language>("language", oneOf("en", "es"), () =>
  typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("es") ? "es" : "en",
);

export function useLanguage(): Language {
  return usePreference(language);
}

type Messages = Record<string, string>;
// `results_one` and `results_other` are asked for as `results`, with a `count`.
type Asked<Key> = Key extends `${infer Base}_one` ? Base : Key extends `${infer Base}_other` ? Base : Key;
export type Params = Record<string, string | number>;
export type T<M extends Messages> = (key: Asked<keyof M & string>, params?: Params) => string;

export interface Catalogue<M extends Messages> {
  en: M;
  es: { [Key in keyof M]: string };
}

/** Makes an area's `useT`: `export const useT = catalogue({ en, es })`. */
export function catalogue<M extends Messages>(messages: Catalogue<M>): () => T<M> {
  return function useT() {
    const chosen = useLanguage();
    return useMemo(() => translator(messages, chosen), [chosen]);
  };
}

export function translator<M extends Messages>(messages: Catalogue<M>, chosen: Language): T<M> {
  const all: Messages = messages[chosen];
  return (key, params = {}) => {
    const count = params.count;
    const plural = typeof count === "number" ? `${key}_${pluralOf(count, chosen)}` : key;
    const text = all[plural] ?? all[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name];
      if (value === undefined) return whole;
      return typeof value === "number" ? new Intl.NumberFormat(chosen).format(value) : value;
    });
  };
}

function pluralOf(count: number, chosen: Language): "one" | "other" {
  // Spanish has `many` for millions; our sentences do not tell it from `other`.
  return new Intl.PluralRules(chosen).select(count) === "one" ? "one" : "other";
}

export function followLanguage(): void {
  const apply = () => document.documentElement.setAttribute("lang", language.get());
  apply();
  language.subscribe(apply);
}
