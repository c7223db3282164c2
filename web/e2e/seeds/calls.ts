import { expect, type Locator, type Page } from "@playwright/test";

import type { House } from "../harness/house";

const BATCH = 100;
const AT_ONCE = 4;

/** So many calls that are done, a hundred to a request. */
export async function addCalls(toolgate: House, count: number): Promise<void> {
  const batches = Array.from({ length: count / BATCH }, (_, batch) => Array.from({ length: BATCH }, (_, one) => ({ tool: "calculate", input: { expression: `${String(batch)} + ${String(one)}` } })));
  for (let start = 0; start < batches.length; start += AT_ONCE) {
    await Promise.all(batches.slice(start, start + AT_ONCE).map((calls) => toolgate.api.post("/api/invoke/batch", { calls })));
  }
}

/** The list of calls, with every page of it: as for somebody who holds End, each comes as the one before is reached. */
export async function openAllCalls(page: Page, count: number): Promise<Locator> {
  await page.goto("/invocations");
  const grid = page.getByRole("grid", { name: "Invocations" });
  await expect(grid.getByRole("row").nth(5)).toBeVisible();
  await grid.getByRole("row").nth(1).focus();
  await expect(async () => {
    await page.keyboard.press("End");
    expect(await grid.getAttribute("aria-rowcount")).toBe(String(count + 1));
  }).toPass({ intervals: [100], timeout: 200_000 });
  return grid;
}
