import { expect, test } from "vitest";

const sources = import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

test("what is kept under one name is asked for in one place: two questions would overwrite each other's answers", () => {
  const places = new Map<string, string[]>();
  for (const [file, text] of Object.entries(sources)) {
    if (file.includes(".test.")) continue;
    for (const [, key = ""] of text.matchAll(/(?:^\s*queryKey: |usePages(?:<\w+>)?\(\s*)(\[[^\]]*\])/gm)) places.set(key, [...(places.get(key) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(40);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});
