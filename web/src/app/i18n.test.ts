import { expect, test } from "vitest";

import { translator } from "./i18n";

const messages = {
  en: { found_one: "{count} tool in {place}", found_other: "{count} tools in {place}", plain: "Plain {unknown}" },
  es: { found_one: "{count} herramienta en {place}", found_other: "{count} herramientas en {place}", plain: "Llano" },
};

test("the number chooses the sentence, and is written as the language writes it", () => {
  const en = translator(messages, "en");
  const es = translator(messages, "es");
  expect(en("found", { count: 1, place: "X" })).toBe("1 tool in X");
  expect(en("found", { count: 12345, place: "X" })).toBe("12,345 tools in X");
  expect(es("found", { count: 12345, place: "X" })).toBe("12.345 herramientas en X");
});

test("a place that nobody fills stays visible", () => {
  expect(translator(messages, "en")("plain")).toBe("Plain {unknown}");
});

type File = { default: Record<string, string> };
const english = import.meta.glob<File>("../messages/en/*.json", { eager: true });
const spanish = import.meta.glob<File>("../messages/es/*.json", { eager: true });
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test.each(Object.entries(english))("%s says in Spanish what it says in English, with the same places to fill", (path, file) => {
  const other = spanish[path.replace("/en/", "/es/")]?.default ?? {};
  expect(Object.keys(other).sort()).toEqual(Object.keys(file.default).sort());
  for (const [key, text] of Object.entries(file.default)) expect([key, places(other[key] ?? "")]).toEqual([key, places(text)]);
});
