import { expect, test } from "vitest";

import { hostOf } from "./touches";

test("a tool that is a request names its host, whatever stands in its path", () => {
  expect(hostOf({ kind: "http", url: "https://shop.example.com/customers/{customer}/orders" })).toBe("shop.example.com");
  expect(hostOf({ kind: "mcp", server: "github" })).toBe("github");
  expect(hostOf({ kind: "builtin", handler: "wait" })).toBeUndefined();
  expect(hostOf(undefined)).toBeUndefined();
});
