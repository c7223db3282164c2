// The browser's own notices. What is observed is what the browser shows for the application's worker.
import type { Page } from "@playwright/test";

import { expect, test } from "../harness";
import { wholeBrowser } from "../harness/browser";
import { addReleaseDesk } from "../seeds/approvals";

test.use({ launchOptions: wholeBrowser });

/** Notes when permission is asked for, and says that nobody looks at the page: stories have no other window to look at. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked = { times: 0 };
    const real = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => {
      asked.times += 1;
      return real();
    };
    document.hasFocus = () => false;
    Object.assign(window, { asked });
  });
}

const timesAsked = (page: Page) => page.evaluate(() => (window as unknown as { asked: { times: number } }).asked.times);
const shown = (page: Page) =>
  page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => ({ title, body })));

test("a call that begins to wait is told by the browser, to those who asked for it; a click opens the call", async ({ page, context, toolgate, signedInAs }) => {
  await context.grantPermissions(["notifications"]);
  await watch(page);
  const { ask } = await addReleaseDesk(toolgate);
  await signedInAs("approver");
  await page.goto("/inbox");
  await ask("Before anybody wanted notices");
  await expect(page.getByRole("article")).toHaveCount(1);
  expect([await timesAsked(page), await shown(page)], "nothing is asked and nothing told without a wish").toEqual([0, []]);

  await page.getByRole("button", { name: "Notify me" }).click();
  await expect(page.getByRole("button", { name: "Notifications are on" })).toHaveAttribute("aria-pressed", "true");
  expect(await timesAsked(page)).toBe(1);
  // On whatever page one is.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tools", exact: true }).click();
  await expect(page.getByRole("searchbox", { name: "Search tools" })).toBeVisible();
  const asked = await ask("A secret plan");
  await expect.poll(() => shown(page)).toEqual([{ title: "A call waits for you", body: "announce_release needs a yes or a no." }]);

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await page.getByRole("searchbox", { name: "Search tools" }).fill("half a thought");
  await page.evaluate(() => Object.assign(window, { isStillHere: true }));
  await worker.evaluate(async () => {
    const here = self as unknown as { registration: ServiceWorkerRegistration; dispatchEvent(event: Event): void };
    const [notification] = await here.registration.getNotifications();
    const { NotificationEvent } = self as unknown as { NotificationEvent: new (type: string, init: { notification: Notification | undefined }) => Event };
    here.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  });
  await expect(page.getByRole("dialog", { name: "Call of announce_release" })).toContainText("A secret plan");
  await expect(page).toHaveURL(new RegExp(`/inbox\\?invocation=${String(asked.id)}`));
  expect(await page.evaluate(() => "isStillHere" in window), "the page went there without being loaded anew").toBe(true);
  await expect.poll(() => shown(page), "a notice that was clicked is gone").toEqual([]);

  const other = await ask("Somebody else answers this one");
  await expect.poll(() => shown(page)).toHaveLength(1);
  await (await toolgate.as("approver", ["approvals:decide", "invocations:read"])).post(`/api/invocations/${String(other.id)}/reject`, { reason: "not now" });
  await expect.poll(() => shown(page), "what is settled needs nobody's look").toEqual([]);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Notifications are on" }).click();
  await expect(page.getByRole("button", { name: "Notify me" })).toBeVisible();
  await ask("After they were taken back");
  await expect(page.getByRole("article")).toHaveCount(3);
  expect(await shown(page)).toEqual([]);
});
