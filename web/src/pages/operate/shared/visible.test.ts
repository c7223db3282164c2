import { expect, test } from "vitest";

import { visible } from "./visible";

test("what cannot be seen is shown, and nothing else is touched", () => {
  expect(visible("safe\u200Btool")).toBe("safe⟨U+200B⟩tool");
  expect(visible("plain ü 漢\n")).toBe("plain ü 漢\n");
});
