// What the server and the browser do with each other, whatever the page is.
import { expect, OWN, SERVER_GONE, test } from "../harness";

test("a server that is gone is told of, and back is back", OWN, async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(SERVER_GONE);
  await signedInAs("member");
  await page.goto("/tools");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await toolgate.server.stop();
  await expect(page.getByText("Live updates are interrupted. Trying again…")).toBeVisible({ timeout: 30_000 });
  await toolgate.server.startAgain();
  await expect(page.getByText("Live updates are interrupted. Trying again…")).toBeHidden({ timeout: 45_000 });
});

test("who signs in while the server is gone is told that, not that the password is wrong", OWN, async ({ page, toolgate, guard }) => {
  guard.allow(SERVER_GONE);
  const max = await toolgate.person("member");
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(max.email);
  await page.getByLabel("Password").fill(max.password);
  await toolgate.server.stop();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Check the connection, or whether the server runs.");
});

test("the API reference shows every operation without a script in its page", async ({ browser, toolgate, guard }) => {
  // A browser asks for the key first, and is given it as the password.
  guard.allow(/status of 401 .*\/docs/);
  // The library tries whether it may compile code, and does without.
  guard.allow(/policy violated: script-src eval/, /unsafe-eval/);
  const httpCredentials = { username: "me", password: toolgate.server.adminKey };
  const context = await browser.newContext({ baseURL: toolgate.url, httpCredentials });
  await guard.watch(context);
  const page = await context.newPage();
  await page.goto("/docs");
  await expect(page.getByText("Toolgate").first()).toBeVisible();
  await expect(page.getByText("Register a tool").first()).toBeVisible();
  await context.close();
});

test("the browser itself refuses scripts in the page and other origins", async ({ page, guard }) => {
  guard.allow(/policy violated: (script-src-elem inline|connect-src https:\/\/evil\.example)/, /Content Security Policy/, /another origin was asked: https:\/\/evil\.example/);
  await page.goto("/sign-in");
  const ran = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.intruder = true";
    document.head.append(script);
    const reached = await fetch("https://evil.example/", { mode: "no-cors" }).then(
      () => true,
      () => false,
    );
    return { script: "intruder" in window, reached };
  });
  expect(ran).toEqual({ script: false, reached: false });
  // Both were noticed: a story that did this without saying so would fail.
  await expect.poll(() => guard.noticed.filter((text) => text.includes("policy violated")).length).toBe(2);
});

test("files are packed, and those whose name changes with them are kept for ever", async ({ page, request, toolgate }) => {
  const assets: string[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.startsWith("/assets/")) assets.push(response.url());
  });
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  // Small pieces are not worth packing; the one that begins everything is.
  const script = assets.find((url) => /\/assets\/index-[^/]+\.js$/.test(url));
  expect(script).toBeDefined();
  const { headers } = await request.get(String(script), { headers: { "accept-encoding": "br" } }).then((answer) => ({ headers: answer.headers() }));
  expect(headers["content-encoding"]).toBe("br");
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const index = await request.get(`${toolgate.url}/tools`, { headers: { accept: "text/html" } });
  expect(index.headers()["cache-control"]).toBe("no-cache");
  const again = await request.get(`${toolgate.url}/tools`, {
    headers: { accept: "text/html", "if-none-match": String(index.headers().etag) },
  });
  expect(again.status()).toBe(304);
  expect((await request.get(`${toolgate.url}/assets/gone-1.js`)).status()).toBe(404);
});
