// Stories in a real Chromium against the real server. `make web-test` runs them; e2e/README.md says how to write one.
import { defineConfig } from "@playwright/test";

import type { Options } from "./e2e/harness";
import { browser } from "./e2e/harness/browser";

const desktop = { viewport: { width: 1440, height: 900 } };

export default defineConfig<Options>({
  testDir: "e2e/stories",
  outputDir: "test-results",
  // Stories take seconds. These are for a machine that has hardly any time to spare.
  timeout: 240_000,
  expect: { timeout: 40_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A browser beside a busy neighbour may starve. What passes the second time only is listed as flaky: it is to be mended.
  retries: 1,
  reporter: [["list"], ["json", { outputFile: "../target/timings/stories.json" }]],
  use: {
    ...desktop,
    locale: "en-US",
    timezoneId: "UTC",
    // Recording takes as much of the machine as the story: only what failed is told again with it.
    trace: "on-first-retry",
    launchOptions: browser,
  },
  projects: process.env.BENCH
    ? [{ name: "bench", testDir: "e2e/bench" }]
    : [
        { name: "embedded" },
        // The stories that depend on the database most are told on PostgreSQL as well.
        { name: "postgres", grep: /@postgres/, use: { database: "postgres" } },
      ],
});
