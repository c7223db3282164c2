// How smoothly ten thousand calls scroll, beside a bare page of as many lines in the same browser. `make bench-web` prints it.
import type { Page } from "@playwright/test";

import { expect, test } from "../harness";
import { addCalls, openAllCalls } from "../seeds/calls";

const CALLS = 10_000;
const ROUNDS = 5;
const FRAMES = 180;
/** As fast as a hand turns a wheel. */
const STEP_PX = 240;

/** Milliseconds from frame to frame while it is scrolled, down and up again. */
const scrolled = (page: Page, scroller: string) =>
  page.evaluate(
    async ([selector, frames, step]) => {
      const box = document.querySelector(selector) ?? document.documentElement;
      const took: number[] = [];
      let last = await new Promise<number>(requestAnimationFrame);
      for (let frame = 0; frame < frames; frame += 1) {
        box.scrollTop += frame < frames / 2 ? step : -step;
        const now = await new Promise<number>(requestAnimationFrame);
        took.push(now - last);
        last = now;
      }
      return took;
    },
    [scroller, FRAMES, STEP_PX] as const,
  );

const at = (share: number, of: number[]) => of.toSorted((one, other) => one - other)[Math.floor(share * (of.length - 1))] ?? NaN;
const perSecond = (frames: number[]) => (1_000 * frames.length) / frames.reduce((sum, one) => sum + one, 0);
const told = (name: string, frames: number[]) => `${name.padEnd(22)} ${perSecond(frames).toFixed(1).padStart(6)} frames/s   median ${at(0.5, frames).toFixed(1)} ms   p95 ${at(0.95, frames).toFixed(1)} ms   longest ${at(1, frames).toFixed(1)} ms`;

test("ten thousand calls, beside a bare page", async ({ page, context, toolgate, signedInAs }) => {
  await addCalls(toolgate, CALLS);
  await signedInAs("viewer");
  const grid = await openAllCalls(page, CALLS);
  await page.keyboard.press("Home");
  await expect(grid.locator('[aria-rowindex="2"]')).toBeVisible();
  const bare = await context.newPage();
  await bare.setContent(Array.from({ length: CALLS }, (_, line) => `<p>calculate@1.0.0 · done · ${String(line)} ms</p>`).join(""));

  const [ours, floor]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.bringToFront();
    ours.push(...(await scrolled(page, "#main")));
    await bare.bringToFront();
    floor.push(...(await scrolled(bare, "html")));
  }
  const ratio = perSecond(ours) / perSecond(floor);
  console.log([told("ten thousand calls", ours), told("bare page (floor)", floor), `${(100 * ratio).toFixed(0)} % of the floor's frames`].join("\n"));
});
