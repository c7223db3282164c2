import { expect, test } from "vitest";

import { copyOf } from "./definition";

test("a copy is a new tool with a name of its own, also where a name could not be longer", () => {
  const told = { id: "tol_1", name: "greet", version: "3.1.4", description: "Greets.", icon: null, created_at: "2026-01-01T00:00:00Z" };
  expect(copyOf(told)).toEqual({ name: "greet_copy", version: "1.0.0", description: "Greets." });
  const longest = "a".repeat(64);
  const { name } = copyOf({ ...told, name: longest });
  expect([String(name).length, name === longest]).toEqual([64, false]);
});
