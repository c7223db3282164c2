import { expect, test } from "vitest";

import { NAVIGATION } from "./navigation";

test("no two pages have the same address or the same key", () => {
  for (const of of [NAVIGATION.map(({ to }) => to), NAVIGATION.map(({ key }) => key)]) expect(new Set(of).size).toBe(of.length);
});
