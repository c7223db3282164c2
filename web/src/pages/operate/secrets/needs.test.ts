import { expect, test } from "vitest";

import { missingIn, toolsBySecret, widerThan, type Secret } from "./needs";

const tools = [
  { name: "a", secrets: ["X", "Y"], missing_secrets: ["Y"] },
  { name: "b", secrets: ["Y"], missing_secrets: ["Y"] },
  { name: "c", secrets: ["Z"], missing_secrets: ["Z"] },
];

test("what is missing is told once, with the tools that want it, the most wanted first", () => {
  expect(missingIn(tools)).toEqual([
    { name: "Y", tools: ["a", "b"] },
    { name: "Z", tools: ["c"] },
  ]);
  expect(toolsBySecret(tools).get("Y")).toEqual(["a", "b"]);
});

test("the next wider scope takes over", () => {
  const of = (name: string, scope: string) => ({ name, scope }) as Secret;
  const all = [of("T", "tenant"), of("T", "user"), of("T", "workspace"), of("U", "tenant")];
  expect(widerThan({ name: "T", scope: "user" }, all)?.scope).toBe("workspace");
  expect(widerThan({ name: "T", scope: "tenant" }, all)).toBeUndefined();
  expect(widerThan({ name: "U", scope: "user" }, all)?.scope).toBe("tenant");
});
