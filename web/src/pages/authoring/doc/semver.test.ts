import { expect, test } from "vitest";

import { compareVersions, nextAfter, nextVersions } from "./semver";

test("what can follow a version", () => {
  expect(nextVersions("1.2.3")).toEqual({ patch: "1.2.4", minor: "1.3.0", major: "2.0.0" });
  expect(nextVersions("1.2.3-beta.1")?.patch).toBe("1.2.3");
  expect(nextVersions("latest")).toBeUndefined();
});

test("an old version is followed by what comes after the newest", () => {
  expect(nextAfter("1.0.0", ["1.0.0", "1.10.2", "1.9.0"])?.patch).toBe("1.10.3");
  expect(["1.0.0", "1.0.0-rc.2", "1.0.0-rc.10", "0.9.0"].sort(compareVersions)).toEqual(["0.9.0", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0"]);
});
