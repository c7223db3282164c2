import { expect, test } from "vitest";

import { loginSecret, secretsIn, serverOfLogin } from "./secrets-in";

test("secrets are found where they are named, each once", () => {
  const transport = { kind: "http", url: "https://a.example", headers: { Authorization: "Bearer {$secret.CRM_TOKEN}", "x-two": "{$secret.A}-{$secret.CRM_TOKEN}" } } as const;
  expect(secretsIn({ transport, oauth: { client_secret: "CLIENT" } })).toEqual(["CRM_TOKEN", "A", "CLIENT"]);
  expect(secretsIn({ transport: { kind: "stdio", command: "x", env: { T: "{$secret.B}" } } })).toEqual(["B"]);
});

test("a login's secret names its server, and back", () => {
  expect(serverOfLogin(loginSecret("tracker-2"))).toBe("tracker-2");
  expect(serverOfLogin("CRM_TOKEN")).toBeUndefined();
});
