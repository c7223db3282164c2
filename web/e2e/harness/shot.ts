// Pictures for the documentation, made by the stories on what they seeded. Only `make screenshots` takes them.
import { fileURLToPath } from "node:url";

import type { Page } from "@playwright/test";

import { canPretend, PICTURE_TIME, takesPictures } from "./server";

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const FOLDER = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
/** What was seeded at the beginning is a few minutes old in every picture. */
const SINCE_MS = 5 * 60_000;

/** In pictures the clock of the browser stands still; timers go on. */
export async function fixClock(page: Page): Promise<void> {
  if (!takesPictures) return;
  const begun = canPretend ? Date.parse(`${PICTURE_TIME.replace(" ", "T")}Z`) : Date.now();
  await page.clock.setFixedTime(begun + SINCE_MS);
}

/** `docs/screenshots/<name>-{light,dark}-{desktop,phone}.png`. Without `SCREENSHOTS=1` it does nothing. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  const before = page.viewportSize() ?? DESKTOP;
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await page.screenshot({ path: `${FOLDER}${name}-${colorScheme}-${size}.png`, animations: "disabled", caret: "hide" });
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(before);
}
