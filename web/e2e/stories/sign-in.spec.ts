import type { BrowserContext } from "@playwright/test";

import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, shot, signIn, signOut, test } from "../harness";

/** The cookies of sessions. Another one knows the browser again where a person signs in, and is sent nowhere else. */
async function sessionsIn(context: BrowserContext): Promise<string[]> {
  return (await context.cookies()).map(({ name }) => name).filter((name) => !name.startsWith("toolgate_device_"));
}

test("somebody signs in with a password, and is who they are after a reload @postgres", async ({ page, toolgate }) => {
  const olga = await toolgate.person("operator");
  await page.goto("/sign-in");
  await expectAccessible(page);
  await shot(page, "sign-in");
  await signIn(page, olga);
  await expect(page).toHaveURL(/\/tools$/);
  await page.reload();
  await expect(page.getByRole("button", { name: "Account of Olga Operator" })).toBeVisible();
});

test("a wrong password says so, tells nothing more, and the next try succeeds", async ({ page, toolgate }) => {
  const max = await toolgate.person("member");
  await page.goto("/sign-in");
  for (const email of [max.email, "nobody@example.org"]) {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveText("the address or the password is not right");
    await expect(page).toHaveURL(/\/sign-in/);
  }
  await expectAccessible(page);
  await signIn(page, max);
});

test("who signs out is out: in this tab, in another one, and for the way back", async ({ page, context, toolgate }) => {
  await signIn(page, await toolgate.person("member"));
  const other = await context.newPage();
  await other.goto("/tools");
  await expect(other.getByRole("navigation", { name: "Main" })).toBeVisible();
  await signOut(page);
  expect(await sessionsIn(context)).toEqual([]);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a person sees where they are signed in, and ends the session of another browser", async ({ page, guard, signedInAs, anotherBrowser }) => {
  // What the other browser asks for once its session is over is refused.
  guard.allow(/status of 401/);
  await signedInAs("viewer");
  const other = await anotherBrowser("viewer");
  await other.goto("/tools");
  await expect(other.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.goto("/tools");
  await page.getByRole("button", { name: "Account of Vera Viewer" }).click();
  await page.getByRole("menuitem", { name: "Your sessions" }).click();
  const dialog = page.getByRole("dialog", { name: "Your sessions" });
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await expect(dialog.getByRole("listitem").filter({ hasText: "This browser" })).toHaveCount(1);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^End the session of / }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("listitem")).toContainText("This browser");
  await other.reload();
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a page that needs a person asks for one, and then is where it was meant to be", async ({ page, toolgate }) => {
  const vera = await toolgate.person("viewer");
  await page.goto("/tools?q=calc");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(page, vera);
  await expect(page).toHaveURL(`${toolgate.url}/tools?q=calc`);
});

test("a session that ends while the page is open leads to the sign-in and back", async ({ page, context, toolgate, guard, signedInAs }) => {
  // What was under way when the session ended is refused.
  guard.allow(/status of 401/);
  const max = await signedInAs("member");
  await page.goto("/tools");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await context.clearCookies();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(page, max);
  await expect(page).toHaveURL(`${toolgate.url}/tools`);
});

test("the way back never leads to another site", async ({ page, toolgate, guard }) => {
  // The page may be asking for something when its cookies are taken away.
  guard.allow(/status of 401/);
  const max = await toolgate.person("member");
  for (const elsewhere of ["https://evil.example/", "//evil.example/", "/\\evil.example"]) {
    await page.goto(`/sign-in?return_to=${encodeURIComponent(elsewhere)}`);
    await signIn(page, max);
    expect(new URL(page.url()).origin).toBe(toolgate.url);
    await page.context().clearCookies();
  }
});

test("somebody signs in on a phone", OWN, async ({ page, toolgate }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/sign-in");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByLabel("Email").fill((await toolgate.person("approver")).email);
  await page.getByLabel("Password").fill("correct horse battery staple");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tools$/);
  await expectNoSidewaysScroll(page);
});

test("a person with accounts in two tenants goes from one to the other and back", OWN, async ({ page, toolgate }) => {
  const north = await toolgate.addTenant("north", "North Ltd");
  const ada = await toolgate.addPerson({ email: "ada@north.example", name: "Ada North", roles: ["admin"] }, north.api);
  await signIn(page, await toolgate.person("viewer"));
  await page.getByRole("button", { name: /^Tenant and workspace/ }).click();
  await page.getByRole("menuitem", { name: "Sign in to another tenant…" }).click();
  await signIn(page, { ...ada, tenant: "north" });
  await expect(page.getByRole("button", { name: "Account of Ada North" })).toBeVisible();
  await page.getByRole("button", { name: "Tenant and workspace: North Ltd" }).click();
  await page.getByRole("menuitem", { name: "Default" }).click();
  await expect(page.getByRole("button", { name: "Account of Vera Viewer" })).toBeVisible();
  await signOut(page);
  expect(await sessionsIn(page.context()), "neither session is left").toEqual([]);
});
