import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

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
  // One page and no frames, of which only what is wrong is told: the whole report is put together in a second page, and most of it is about what is right.
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).withTags(RULES).setLegacyMode().analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary ?? ""}`).join("\n")}`);
  expect(told, "axe found").toEqual([]);
}

/** Tables may scroll inside themselves; the page does not move sideways, on a phone least of all. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond, "pixels that the page is wider than its window").toBeLessThanOrEqual(0);
}
