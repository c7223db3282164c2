import { expect, test } from "vitest";

import { cn } from "./cn";

test("a class given later wins over one given earlier, so that a caller can change a primitive's look", () => {
  expect(cn("px-2 text-sm", undefined, "px-4")).toBe("text-sm px-4");
});
