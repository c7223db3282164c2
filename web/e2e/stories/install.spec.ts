// The application as something that is installed: a manifest, a worker that keeps files and no data, a page without a connection.
import { expect, expectAccessible, OWN, SERVER_GONE, test } from "../harness";

test("the application can be installed, keeps no data, and says when there is no connection", OWN, async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(SERVER_GONE);
  await signedInAs("member");
  await page.goto("/tools");
  const manifest = await (await page.request.get("/manifest.webmanifest")).json();
  expect(manifest).toMatchObject({ name: "Toolgate", display: "standalone" });
  for (const { src, type } of manifest.icons as { src: string; type: string }[]) {
    const icon = await page.request.get(src);
    expect([src, icon.status(), icon.headers()["content-type"]]).toEqual([src, 200, type]);
  }
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Tools" })).toBeVisible();
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
  const kept = await page.evaluate(async () => {
    const caches = await window.caches.keys();
    const all = await Promise.all(caches.map(async (name) => (await (await window.caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
    return all.flat();
  });
  expect(kept).toContain("/offline.html");
  expect(kept.filter((path) => !path.startsWith("/assets/")).sort()).toEqual(["/favicon.svg", "/offline.html", "/offline.js"]);

  await toolgate.server.stop();
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "There is no connection to Toolgate" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "There is no connection to Toolgate" })).toBeVisible();
  await toolgate.server.startAgain();
  await expect(page.getByRole("heading", { level: 1, name: "Inbox" }), "it goes on by itself").toBeVisible();
});
