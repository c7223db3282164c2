import { expect, expectAccessible, OWN, PHONE, signIn, signOut, test } from "../harness";
import { IdentityProvider } from "../harness/provider";

test("somebody signs in with their organisation, and a stranger is told whom to ask @today", OWN, async ({ page, toolgate, guard }) => {
  await toolgate.addPerson({ email: "alice@people.example", name: "Alice Andrews", roles: ["member"] });
  await toolgate.server.stop();
  const provider = await IdentityProvider.start(toolgate.url);
  try {
    await toolgate.server.startAgain(provider.serverArgs);
    // The provider is another origin, and its page asks for a font of a third.
    guard.allow(new RegExp(`another origin was asked: ${provider.issuer}`), new RegExp(`${provider.issuer}/`), /fonts\.googleapis\.com/);
    const elsewhere = async (login: string) => {
      await page.getByRole("link", { name: "Sign in with your organisation" }).click();
      await page.locator("input[name=login]").fill(login);
      await page.locator("input[name=password]").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
    };
    await page.goto("/tools?search=calc");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expectAccessible(page);
    await elsewhere("alice");
    await expect(page.getByRole("button", { name: "Account of Alice Andrews" })).toBeVisible();
    await expect(page).toHaveURL(`${toolgate.url}/tools?search=calc`);
    await signOut(page);
    // The provider remembers alice; another person has another browser.
    await page.context().clearCookies();
    await elsewhere("mallory");
    await expect(page.getByRole("alert")).toHaveText(/Nobody here knows this account\. An admin can add you/);
    await expect(page.getByLabel("Email")).toBeVisible();
    await expectAccessible(page);
  } finally {
    await provider.stop();
  }
});

test("who signs out closes the stream of events at once", async ({ page, signedInAs }) => {
  await page.addInitScript(() => {
    const opened: EventSource[] = [];
    const Real = window.EventSource;
    window.EventSource = class extends Real {
      constructor(url: string | URL) {
        super(url);
        opened.push(this);
      }
    };
    Object.assign(window, { streams: () => opened.map(({ readyState }) => readyState) });
  });
  const streams = () => page.evaluate(() => (window as unknown as { streams(): number[] }).streams());
  await signedInAs("operator");
  await page.goto("/tools");
  await expect.poll(streams).toEqual([1]);
  await signOut(page);
  expect(await streams()).toEqual([2]);
});

test("a session that somebody ends elsewhere is noticed by the page, which comes back to where it was", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 401/);
  const max = await signedInAs("member");
  await page.goto("/tools/wait");
  await expect(page.getByRole("heading", { level: 1, name: "Wait" })).toBeVisible();
  // Deactivated people are out at once; the page knows when somebody looks at it again, or when its stream of news ends.
  await toolgate.api.patch(`/api/users/${max.id}`, { status: "disabled" });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await toolgate.api.patch(`/api/users/${max.id}`, { status: "active" });
  await signIn(page, max);
  await expect(page).toHaveURL(/\/tools\/wait$/);
});

test("the way past the navigation, the theme and the language are kept by this browser", async ({ page, signedInAs }) => {
  await signedInAs("operator");
  await page.goto("/tools");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  const html = page.locator("html");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: /^Account of / }).click();
  await expectAccessible(page);
  await page.getByRole("menuitemradio", { name: "Español" }).click();
  await page.reload();
  await expect(html).toHaveAttribute("lang", "es");
  await expect(html).toHaveAttribute("data-theme", "light");
  await expect(page.getByRole("link", { name: "Ir al contenido" })).toBeAttached();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Atajos de teclado" })).toBeVisible();
  await expectAccessible(page);
});

test("a person of two teams chooses the one they work for, and the choice stays", OWN, async ({ page, toolgate }) => {
  const north = await toolgate.api.post("/api/workspaces", { slug: "north", name: "North office" });
  const south = await toolgate.api.post("/api/workspaces", { slug: "south", name: "South office" });
  await toolgate.api.post("/api/workspaces", { slug: "west", name: "West office" });
  const kim = await toolgate.addPerson({ email: "kim@example.org", name: "Kim Both", roles: ["member"], workspaces: [north.id, south.id] });
  await signIn(page, kim);
  await page.getByRole("button", { name: "Tenant and workspace: Default" }).click();
  await expect(page.getByRole("menuitemradio", { name: "West office" }), "a team of others").toBeHidden();
  await page.getByRole("menuitemradio", { name: "South office" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Tenant and workspace: Default / South office" })).toBeVisible();
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: /^Tenant and workspace/ }).click();
  await expectAccessible(page);
  await page.getByRole("menuitemradio", { name: "All workspaces" }).click();
  await expect(page.getByRole("button", { name: "Tenant and workspace: Default", exact: true })).toBeVisible();
});
