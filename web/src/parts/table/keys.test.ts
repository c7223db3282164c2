import { expect, test } from "vitest";

import { moved } from "./keys";

test("keys move between rows and stop at the ends", () => {
  expect(moved("ArrowDown", 0, 3)).toBe(1);
  expect(moved("j", 2, 3)).toBe(2);
  expect(moved("ArrowUp", 0, 3)).toBe(0);
  expect(moved("PageDown", 1, 30)).toBe(11);
  expect(moved("End", 1, 30)).toBe(29);
  expect(moved("x", 1, 30)).toBeUndefined();
  expect(moved("End", 0, 0)).toBeUndefined();
});
