// What the other stories rely on: a fault is found wherever it appears, also in a page of which the rest was looked at before.
import type { Page } from "@playwright/test";

import { expect, expectAccessible, test } from "../harness";

const show = (page: Page, list: string) => page.setContent(`<html lang="en"><title>Fruits</title><main><h1>Fruits</h1><ul>${list}</ul></main></html>`);
const FRUIT = "<li><button>Apple</button></li>";

test("a fault is found on a page that was fine before, and again as long as it is there", async ({ page }) => {
  await show(page, FRUIT);
  await expectAccessible(page);
  await show(page, FRUIT + FRUIT + FRUIT);
  await expectAccessible(page);
  for (const faulty of ["<li><button></button></li>", '<li><button style="color: #ddd; background: #fff">Pear</button></li>', "<li><img src='data:,'></li>"]) {
    for (const list of [FRUIT + faulty, faulty, FRUIT + FRUIT + faulty]) {
      await show(page, list);
      await expect(expectAccessible(page)).rejects.toThrow(/axe found/);
    }
  }
});
