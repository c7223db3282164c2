import type { Page } from "@playwright/test";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, signIn, test } from "../harness";

const needing = (secret: string) => ({ secrets: [secret], description: "Opens a ticket in the tracker" });

test("a secret that tools miss is set, rotated and deleted, and its value is never seen again", async ({ page, toolgate, signedInAs, guard }) => {
  await toolgate.addTool("open_ticket", needing("TRACKER_TOKEN"));
  await toolgate.addTool("close_ticket", needing("TRACKER_TOKEN"));
  await toolgate.api.put("/api/secrets/MAIL_PASSWORD", { value: "a long password", scope: "tenant" });
  await signedInAs("operator");
  await page.goto("/operate/secrets");
  const missing = page.getByRole("region", { name: "1 secret is missing" });
  await expect(missing).toContainText("close_ticket, open_ticket");
  await expectAccessible(page);
  await missing.getByRole("button", { name: "Set TRACKER_TOKEN" }).click();
  const dialog = page.getByRole("dialog", { name: "Set a secret" });
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("TRACKER_TOKEN");
  await dialog.getByLabel("Value").fill("abc");
  await dialog.getByRole("radio", { name: "The whole tenant" }).click();
  await expectAccessible(page);
  guard.allow(/status of 422/);
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await expect(dialog.getByRole("alert")).toBeFocused();
  await dialog.getByLabel("Value").fill("a-token-nobody-reads");
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.getByText("“TRACKER_TOKEN” is set.")).toBeVisible();
  await expect(missing).toBeHidden();
  const row = page.getByRole("row", { name: /TRACKER_TOKEN.*The whole tenant/ });
  await expect(row).toContainText("value 1");
  await shot(page, "secrets");

  await page.getByRole("button", { name: "Rotate TRACKER_TOKEN" }).click();
  await page.getByRole("dialog").getByLabel("Value").fill("another-token");
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await expect(row).toContainText("value 2");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await page.content()).not.toContain("another-token");

  // A narrower one goes first; when it is gone, the wider one holds again.
  await page.getByRole("button", { name: "Set a secret" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("TRACKER_TOKEN");
  await page.getByRole("dialog").getByLabel("Value").fill("only for me");
  await page.getByRole("dialog").getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("row", { name: /TRACKER_TOKEN.*Me alone/ }).getByRole("button", { name: "Delete TRACKER_TOKEN" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("the wider one that is set as well (The whole tenant)");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("“TRACKER_TOKEN” is deleted.")).toBeVisible();
  await page.getByRole("button", { name: "Delete TRACKER_TOKEN" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("2 tools can't be called any more");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a member sets their own and no other, a viewer is told why not", async ({ page, toolgate, signedInAs, anotherBrowser, guard }) => {
  await toolgate.api.put("/api/secrets/MAIL_PASSWORD", { value: "a long password", scope: "tenant" });
  await signedInAs("member");
  await page.goto("/operate/secrets");
  await expect(page.getByRole("row", { name: /MAIL_PASSWORD/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete MAIL_PASSWORD" })).toBeHidden();
  // By keyboard alone.
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "Set a secret" });
  await expect(dialog.getByRole("radio", { name: "The whole tenant" })).toBeDisabled();
  await dialog.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.type("MY_TOKEN");
  await page.keyboard.press("Tab");
  await page.keyboard.type("mine and no one else's");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /MY_TOKEN.*Me alone/ })).toBeVisible();

  guard.allow(/status of 403/);
  const other = await anotherBrowser("viewer");
  await other.goto("/operate/secrets");
  await expect(other.getByRole("heading", { name: "You may not see this" })).toBeVisible();
});

test("a team's secret opens a tool for the team, and for nobody else", async ({ page, toolgate, browser, guard }) => {
  const teams = await Promise.all(["north", "south"].map((slug) => toolgate.api.post("/api/workspaces", { slug, name: `${slug === "north" ? "North" : "South"} office` })));
  const [north, south] = teams.map(({ id }) => String(id));
  const lead = await toolgate.addPerson({ email: "nora@example.org", name: "Nora North", roles: ["operator"], workspaces: [String(north)] });
  const other = await toolgate.addPerson({ email: "sam@example.org", name: "Sam South", roles: ["operator"], workspaces: [String(south)] });
  await toolgate.addTool("open_ticket", { ...needing("TRACKER_TOKEN"), execution: { kind: "builtin", handler: "render_template", arguments: { template: "opened", values: {} } } });
  await signIn(page, lead);
  await page.goto("/tools?search=open_ticket");
  const card = (screen: Page) => screen.getByRole("listitem").filter({ has: screen.getByText("open_ticket", { exact: true }) });
  await expect(card(page)).toContainText("Secret missing");
  await page.getByRole("link", { name: "open_ticket" }).click();
  await page.getByRole("link", { name: "Set TRACKER_TOKEN" }).click();
  const dialog = page.getByRole("dialog", { name: "Set a secret" });
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("TRACKER_TOKEN");
  await dialog.getByLabel("Value").fill("a-token-of-the-north");
  await dialog.getByRole("radio", { name: "A workspace" }).click();
  await expect(dialog.getByLabel("Workspace", { exact: true }).getByRole("option"), "a team that one is in").toHaveText(["North office"]);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /TRACKER_TOKEN.*North office/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Set TRACKER_TOKEN" })).toBeHidden();

  await page.goto("/tools/open_ticket");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("opened", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Set TRACKER_TOKEN" })).toBeHidden();
  await page.goto("/invocations?tool=open_ticket");
  await page.getByRole("row").filter({ hasText: "open_ticket" }).click();
  await page.getByRole("dialog").getByRole("tab", { name: "Decision" }).click();
  await expect(page.getByRole("region", { name: "Which rules said what" })).toContainText("TRACKER_TOKEN");

  const sams = await browser.newContext({ baseURL: toolgate.url, locale: "en-US" });
  await guard.watch(sams);
  const screen = await sams.newPage();
  await signIn(screen, other);
  await screen.goto("/tools?search=open_ticket");
  await expect(card(screen)).toContainText("Secret missing");
  await screen.goto("/operate/secrets");
  await expect(screen.getByRole("region", { name: "1 secret is missing" })).toContainText("TRACKER_TOKEN");
  await expect(screen.getByRole("row", { name: /North office/ })).toHaveCount(0);
  guard.allow(/status of 4\d\d .*\/invoke/);
  await screen.goto("/tools/open_ticket");
  await screen.getByRole("button", { name: "Run", exact: true }).click();
  await expect(screen.getByText("AUTH_REQUIRED").first()).toBeVisible();
  await sams.close();
});
