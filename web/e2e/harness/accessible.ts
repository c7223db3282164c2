import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What these find is never grave, and to look for it takes a quarter of the time. */
const NEVER_GRAVE = [
  ...["region", "landmark-one-main", "landmark-unique", "landmark-complementary-is-top-level", "landmark-main-is-top-level"],
  ...["landmark-banner-is-top-level", "landmark-contentinfo-is-top-level", "landmark-no-duplicate-banner", "landmark-no-duplicate-main"],
  ...["landmark-no-duplicate-contentinfo", "page-has-heading-one", "heading-order", "empty-heading", "empty-table-header", "skip-link"],
  ...["presentation-role-conflict", "aria-allowed-role", "form-field-multiple-labels", "image-redundant-alt", "table-duplicate-name"],
];

/** What fades in has not its colours yet, and would be read as too pale. What never ends, such as a spinner, is not waited for. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** No serious and no critical finding of axe on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  // It is large: a document that has it keeps it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const options: axe.RunOptions = { runOnly: RULES, resultTypes: ["violations"], rules: Object.fromEntries(NEVER_GRAVE.map((id) => [id, { enabled: false }])) };
  const violations = await page.evaluate(async (asked) => (await (window as unknown as { axe: typeof axe }).axe.run(document, asked)).violations, options);
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary ?? ""}`).join("\n")}`);
  expect(told, "axe found").toEqual([]);
}

/** Tables may scroll inside themselves; the page does not move sideways, on a phone least of all. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond, "pixels that the page is wider than its window").toBeLessThanOrEqual(0);
}
