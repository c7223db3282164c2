import { expect, test } from "vitest";

import { found, spelled, type Shortcut } from "./shortcuts";

const shortcut = (keys: string, label = keys): Shortcut => ({ keys, label, group: "", run: () => undefined });

test("a pair wins over its second key alone, and a page's key over the shell's", () => {
  const all = [shortcut("t", "shell"), shortcut("g t"), shortcut("t", "page")];
  expect(found(all, "g", "t")?.label).toBe("g t");
  expect(found(all, undefined, "t")?.label).toBe("page");
  expect(found(all, "x", "y")).toBeUndefined();
});

test("control and command are one key; alt is left to the system", () => {
  const pressed = { key: "K", metaKey: false, ctrlKey: false, altKey: false };
  expect(spelled(pressed)).toBe("k");
  expect(spelled({ ...pressed, metaKey: true })).toBe("mod+k");
  expect(spelled({ ...pressed, ctrlKey: true })).toBe("mod+k");
  expect(spelled({ ...pressed, altKey: true })).toBeUndefined();
});
