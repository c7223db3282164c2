// Stories in a real Chromium against the real server. `make web-test` runs them; e2e/README.md says how to write one.
import { defineConfig } from "@playwright/test";

import type { Options } from "./e2e/harness";

const desktop = { viewport: { width: 1440, height: 900 } };

export default defineConfig<Options>({
  testDir: "e2e/stories",
  outputDir: "test-results",
  timeout: 90_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A browser beside a busy neighbour may starve. What passes the second time only is listed as flaky: it is to be mended.
  retries: 1,
  reporter: [["list"]],
  use: {
    ...desktop,
    locale: "en-US",
    timezoneId: "UTC",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      // Containers run as root and have little shared memory. What is tested is our page, not the browser's sandbox.
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"],
    },
  },
  projects: [
    { name: "embedded" },
    // The stories that depend on the database most are told on PostgreSQL as well.
    { name: "postgres", grep: /@postgres/, use: { database: "postgres" } },
  ],
});
