import { expect, test } from "vitest";

import { slugOf } from "./NameAndSlug";

test.each([
  ["Customer Support", "customer-support"],
  ["  Müller & Söhne  ", "muller-sohne"],
  ["Año 2026!", "ano-2026"],
  ["—", ""],
  ["x".repeat(80), "x".repeat(63)],
])("%s becomes %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
